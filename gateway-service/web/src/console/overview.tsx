import { count, seconds } from '../text'
import type { Admin, Worker } from './admin'
import { Failure, Section, Table, useLoad } from './parts'

const REFRESH_MS = 5_000

const STATES: Record<string, string> = {
  ready: 'Ready', without_slots: 'Without slots', silent: 'Silent', dead: 'Dead', left: 'Left',
}
/** Reasons that no HTTP status shows. */
const REASONS: Record<string, string> = {
  open: 'Too many requests under way (503)',
  waiting: 'Too many requests wait (503)',
  tenant_open: 'Too many requests of one tenant under way (429)',
  tenant_waiting: 'Too many requests of one tenant wait (429)',
  key_crashed_workers: 'Key whose requests crashed workers (429)',
}
const STATUSES: Record<string, string> = {
  400: 'Invalid request', 401: 'No key or a wrong one', 403: 'Key without the right', 404: 'Not found',
  409: 'Conflict', 413: 'Too large', 415: 'Not JSON', 429: 'Limit reached', 500: 'Fault of the gateway',
  503: 'Busy or a part is away', 504: 'No token in time',
}

/** Models and workers, queues and refusals, as the gateway that answers knows them. */
export function OverviewPage({ admin }: { admin: Admin }) {
  const load = () => Promise.all([admin.workers(), admin.queues(), admin.refusals()])
  const { value, failure } = useLoad('overview', load, REFRESH_MS)
  if (!value) return <><h1>Overview</h1><Failure text={failure} />{!failure && <p class="note">Loading …</p>}</>
  const [workers, queues, refusals] = value
  const models = modelsOf(workers.data)
  return (
    <>
      <h1>Overview</h1>
      <p class="note">
        As gateway <code>{workers.gateway}</code> knows it. Workers are those of the whole suite; queues and refusals are
        those of this gateway alone.
      </p>
      <Failure text={failure} />
      <Section title="Queues">
        <ul class="tiles">
          {queues.data.map(queue => (
            <li key={queue.band}>
              <span class="note">{queue.band}</span>
              <strong>{count(queue.depth)}</strong>
              <span class="note">
                {queue.depth > 0 ? `oldest ${seconds(queue.oldest_age_seconds * 1_000)}` : 'nothing waits'}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Models">
        <Table name="Models" head={['Model', 'Ready workers', 'Slots']} numbers={[1]} none="No worker serves a model."
          rows={models.map(one => [
            <><strong>{one.model}</strong><br /><span class="note">{one.description}</span></>,
            `${one.ready} of ${one.workers}`, <Slots name={one.model} busy={one.busy} slots={one.slots} />])} />
      </Section>
      <Section title="Workers">
        <Table name="Workers" head={['Worker', 'Model', 'State', 'Slots', 'Last seen']} none="No worker was heard."
          rows={workers.data.map(one => [
            <code>{one.id}</code>, one.model,
            <span class={`state ${one.state}`}>{STATES[one.state] ?? one.state}</span>,
            <Slots name={one.id} busy={one.busy} slots={one.slots} />,
            ago(one.last_seen)])} />
      </Section>
      <Section title="Refused requests">
        <Table name="Refused requests" head={['Reason', 'Last hour', 'Since start']} numbers={[1, 2]}
          none="No request was refused."
          rows={refusals.data.map(one => [
            one.kind === 'admission' ? REASONS[one.reason] ?? one.reason : `${one.reason} ${STATUSES[one.reason] ?? ''}`,
            count(one.last_hour), count(one.since_start)])} />
        <p class="note">Requests that admission refused are also counted by their status.</p>
      </Section>
    </>
  )
}

interface ModelSum {
  model: string
  description: string
  workers: number
  ready: number
  slots: number
  busy: number
}

/** Sums of the workers of each model. Workers that left or died count for nothing. */
export function modelsOf(workers: Worker[]): ModelSum[] {
  const sums = new Map<string, ModelSum>()
  for (const worker of workers.filter(one => one.state !== 'left' && one.state !== 'dead')) {
    const { model, description } = worker
    const sum = sums.get(model) ?? { model, description, workers: 0, ready: 0, slots: 0, busy: 0 }
    const ready = worker.state === 'ready'
    sums.set(model, {
      ...sum, workers: sum.workers + 1, ready: sum.ready + (ready ? 1 : 0),
      slots: sum.slots + (ready ? worker.slots : 0), busy: sum.busy + (ready ? worker.busy : 0),
    })
  }
  return [...sums.values()]
}

function Slots({ name, busy, slots }: { name: string; busy: number; slots: number }) {
  return (
    <span class="slots">
      <meter min={0} max={Math.max(1, slots)} value={busy} aria-label={`Busy slots of ${name}`} />
      {busy} of {slots} busy
    </span>
  )
}

const ago = (moment: number): string => {
  const age = Date.now() - moment * 1_000
  return age < 3_000 ? 'now' : `${seconds(age)} ago`
}
