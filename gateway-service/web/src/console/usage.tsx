import { useState } from 'preact/hooks'
import { count } from '../text'
import type { Admin, UsageLine } from './admin'
import { Failure, Field, Section, Table, useLoad } from './parts'
import { byDay, dayOf, MEASURES, top, totals, type Measure } from './plot'
import { pages } from './tenants'

const MONTH_MS = 29 * 86_400_000

export function UsagePage({ admin }: { admin: Admin }) {
  const [first, setFirst] = useState(dayOf(Date.now() - MONTH_MS))
  const [last, setLast] = useState(dayOf(Date.now()))
  const [tenant, setTenant] = useState('')
  const [measure, setMeasure] = useState<Measure>('requests')
  const tenants = useLoad('tenants', () => pages(admin.tenants)).value ?? []
  const name = (id: string) => tenants.find(one => one.id === id)?.name ?? id
  const { value, failure } = useLoad([first, last, tenant].join(), () => admin.usage(first, last, tenant))
  const lines = value ?? []
  return (
    <>
      <h1>Usage</h1>
      <form class="fields" onSubmit={event => event.preventDefault()} aria-label="Report">
        <Field label="From" type="date" value={first} max={last} onInput={setFirst} />
        <Field label="To" type="date" value={last} min={first} onInput={setLast} />
        <Choice label="Tenant" value={tenant} onChange={setTenant}
          of={{ '': 'All', ...Object.fromEntries(tenants.map(one => [one.id, one.name])) }} />
        <Choice label="Figure" value={measure} of={MEASURES} onChange={chosen => setMeasure(chosen as Measure)} />
      </form>
      <Failure text={failure} />
      <Section title={`${MEASURES[measure]} by day`}>
        <Plot points={byDay(lines, measure, first, last)} label={MEASURES[measure]} />
      </Section>
      <Section title="By tenant, key and model">
        <Table name="Usage" head={['Tenant', 'Key', 'Model', 'Requests', 'Input', 'Cached', 'Output', 'Reasoning']}
          numbers={[3, 4, 5, 6, 7]} none={value ? 'No use in these days.' : 'Loading …'}
          rows={totals(lines, measure).map((line: UsageLine) => [
            name(line.tenant), <code>{line.key}</code>, line.model, count(line.requests), count(line.input_tokens),
            count(line.cached_tokens), count(line.output_tokens), count(line.reasoning_tokens)])} />
        <p class="note">Days are those of UTC; a response counts on the day of its end.</p>
      </Section>
    </>
  )
}

function Choice({ label, value, of, onChange }: {
  label: string
  value: string
  of: Record<string, string>
  onChange: (value: string) => void
}) {
  return (
    <label>
      {label}
      <select aria-label={label} value={value} onChange={event => onChange(event.currentTarget.value)}>
        {Object.entries(of).map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </label>
  )
}

const WIDTH = 720
const HEIGHT = 200
const LEFT = 56
const BOTTOM = 22

/** One bar a day. */
function Plot({ points, label }: { points: { day: string; value: number }[]; label: string }) {
  const highest = top(points.map(point => point.value))
  const step = (WIDTH - LEFT) / Math.max(1, points.length)
  const height = HEIGHT - BOTTOM - 8
  const y = (value: number) => HEIGHT - BOTTOM - (value / highest) * height
  const sum = points.reduce((all, point) => all + point.value, 0)
  const every = Math.ceil(points.length / 6)
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img"
      aria-label={`${label} from ${points[0]?.day} to ${points.at(-1)?.day}: ${count(sum)} in all`}>
      {[0, 0.5, 1].map(part => (
        <g key={part}>
          <line x1={LEFT} x2={WIDTH} y1={y(highest * part)} y2={y(highest * part)} />
          <text x={LEFT - 8} y={y(highest * part) + 4} class="end">{short(highest * part)}</text>
        </g>
      ))}
      {points.map((point, index) => (
        <g key={point.day}>
          <rect x={LEFT + index * step + step * 0.15} width={step * 0.7} y={y(point.value)}
            height={HEIGHT - BOTTOM - y(point.value)}>
            <title>{`${point.day}: ${count(point.value)}`}</title>
          </rect>
          {index % every === 0 && <text x={LEFT + index * step} y={HEIGHT - 6}>{point.day.slice(5)}</text>}
        </g>
      ))}
    </svg>
  )
}

const short = (value: number): string =>
  new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
