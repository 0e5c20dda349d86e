import { useEffect, useRef, useState } from 'preact/hooks'
import { Refusal, refusal } from '../gateway'
import { key } from '../key'
import { EventSplitter } from '../sse'
import { count, seconds } from '../text'
import { apply, newTurn, type Turn } from '../turn'
import { Plain } from '../ui/plain'
import type { StreamEvent } from '../wire'
import { reasonOf, type Admin } from './admin'
import type { Go } from './console'
import { Failure, Field, Form, Section, Table, useLoad } from './parts'
import { hopsOf, OUTCOMES, pace, type Hop, type Story } from './story'

export function ResponseLookup({ go }: { go: Go }) {
  const [id, setId] = useState('')
  return (
    <>
      <h1>Responses</h1>
      <Section title="One response">
        <Form action="Show" onSubmit={async () => go(`/console/responses/${encodeURIComponent(id.trim())}`)}>
          <Field label="Response id" value={id} onInput={setId} placeholder="resp_…" required
            note="The chat page links each answer to its page here; clients have the id in the response." />
        </Form>
      </Section>
    </>
  )
}

const REFRESH_MS = 3_000

/** What happened to one response. It has no content: that comes with a key, by a replay. */
export function ResponsePage({ admin, id }: { admin: Admin; id: string }) {
  const [runs, setRuns] = useState(false)
  const { value, failure } = useLoad(id, () => admin.response<Story>(id), runs ? REFRESH_MS : 0)
  useEffect(() => setRuns(value?.status === 'queued' || value?.status === 'in_progress'), [value])
  if (!value) {
    return <><h1>Response</h1><p class="note"><code>{id}</code></p><Failure text={failure} />{!failure && <p class="note">Loading …</p>}</>
  }
  const { tokens, summary } = value
  const counted: [string, string | number][] = [
    ...Object.entries(tokens ?? {}).map(([lane, number]): [string, string] => [`${lane} tokens`, count(number)]),
    ['summary parts', summary?.parts ?? 'none'],
    ['tickets sent again', value.tickets_resent ?? '–'],
    ['fences lost', value.losing_fences ?? '–'],
    ['void frames', value.void_frames ?? '–'],
    ['kept for audit', value.audited === undefined ? '–' : value.audited ? 'yes' : 'no'],
  ]
  return (
    <>
      <h1>Response</h1>
      <p class="note">
        <code>{id}</code>: {[value.status, value.model, value.band && `band ${value.band}`, value.tenant,
          value.gateway && `accepted by ${value.gateway}`].filter(Boolean).join(', ')}. {SOURCES[value.source] ?? ''}
      </p>
      <Failure text={failure} />
      {value.warnings.map(warning => <p class="notice" key={warning}>Warning: {warning}</p>)}
      <Section title="Hops">
        <Hops hops={hopsOf(value)} />
      </Section>
      <Section title="Attempts">
        <Table name="Attempts" head={['Attempt', 'Worker', 'Fence (UTC)', 'Waited', 'Ran', 'Frames', 'Outcome']} numbers={[0, 5]}
          none={value.attempts ? 'No worker has begun.' : 'Not known any more.'}
          rows={(value.attempts ?? []).map(one => [
            one.number, <code>{one.worker ?? '–'}</code>, moment(one.fenced_at_ms),
            between(one.opened_at_ms, one.fenced_at_ms), between(one.fenced_at_ms, one.closed_at_ms),
            `${count(one.reasoning_frames)} + ${count(one.text_frames)}`, OUTCOMES[one.outcome] ?? one.outcome])} />
        <p class="note">Frames are those of reasoning and those of text.</p>
      </Section>
      <Section title="What it took">
        <ul class="tiles">
          {counted.map(([name, number]) => <li key={name}><span class="note">{name}</span><strong>{number}</strong></li>)}
        </ul>
        {summary && (
          <p class="note">
            The summary is {summary.outcome}: {count(summary.sentences)} sentences{summary.tier && `, ${summary.tier}`}.
          </p>
        )}
      </Section>
      <Section title="Replay">
        <Replay id={id} story={value} />
      </Section>
    </>
  )
}

const SOURCES: Record<string, string> = {
  frames: 'Read from its log.',
  record: 'Its log is gone: from what the gateway wrote at the end.',
  ledger: 'Its log is gone: from the usage ledger.',
  row: 'Its log is gone: from its row.',
}

const moment = (millis: number | null): string =>
  millis === null ? '–' : new Date(millis).toISOString().slice(11, 23)

const between = (from: number | null, to: number | null): string =>
  from === null || to === null ? '–' : seconds(to - from)

const BAR = 240

function Hops({ hops }: { hops: Hop[] }) {
  const x = (millis: number) => (millis / Math.max(1, hops.at(-1)?.offset ?? 0)) * BAR
  return (
    <Table name="Hops" head={['Hop', 'At (UTC)', 'Took', 'In the whole']} numbers={[2]}
      none="No times are known any more."
      rows={hops.map(hop => [
        hop.name, moment(hop.at), seconds(hop.took),
        <svg class="bar" viewBox={`0 0 ${BAR} 10`} aria-hidden="true">
          <rect x={Math.min(BAR - 2, x(hop.offset - hop.took))} width={Math.max(2, x(hop.took))} y={1} height={8} />
        </svg>])} />
  )
}

const DRAW_MS = 30

/** Plays the stream again. What is seen depends on the key, as at the API. */
function Replay({ id, story }: { id: string; story: Story }) {
  const [draft, setDraft] = useState('')
  const [turn, setTurn] = useState<Turn | null>(null)
  const [playing, setPlaying] = useState(false)
  const [failure, setFailure] = useState('')
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  if (!story.replay.possible) {
    return (
      <div class="row">
        <button type="button" class="primary" disabled>Replay</button>
        <p class="note">{`Not possible: ${story.replay.why_not ?? 'the gateway does not say why'}.`}</p>
      </div>
    )
  }
  const play = async () => {
    stop.current.abort()
    stop.current = new AbortController()
    setFailure('')
    setPlaying(true)
    try {
      const events = await eventsOf(id, draft.trim() || key(), stop.current.signal)
      await show(events, pace(events, story), stop.current.signal, setTurn)
    } catch (error) {
      const refused = error instanceof Refusal && error.status === 401
      if (!stop.current.signal.aborted) setFailure(refused ? 'The gateway does not accept this key.' : reasonOf(error))
    } finally {
      setPlaying(false)
    }
  }
  return (
    <>
      <form class="row" onSubmit={event => { event.preventDefault(); void play() }}>
        <input type="password" autocomplete="off" aria-label="API key" value={draft}
          placeholder={key() ? 'The key of this tab' : 'API key of the tenant'}
          onInput={event => setDraft(event.currentTarget.value)} />
        {playing
          ? <button type="button" class="primary" onClick={() => stop.current.abort()}>Stop</button>
          : <button type="submit" class="primary" disabled={!draft.trim() && !key()}>Replay</button>}
      </form>
      <p class="note">
        The stream comes at the pace of its hops. Between two hops the events are spread evenly, because they carry no times.
      </p>
      <Failure text={failure} />
      {turn && (
        <div class="replayed" aria-label="Replayed stream" role="group" data-state={turn.state}>
          {turn.parts.map(part => (
            <div key={part.id}>
              <span class="note">{part.kind === 'reasoning' ? 'Summary' : part.kind === 'text' ? 'Answer' : `Call of ${part.name}`}</span>
              <Plain text={part.kind === 'reasoning' ? part.summary.join('\n\n') || 'No summary.'
                : part.kind === 'text' ? part.text : part.arguments} />
            </div>
          ))}
        </div>
      )}
    </>
  )
}

async function eventsOf(id: string, apiKey: string, signal: AbortSignal): Promise<StreamEvent[]> {
  const answer = await fetch(`/v1/responses/${encodeURIComponent(id)}?stream=true`, {
    headers: { Authorization: `Bearer ${apiKey}` }, cache: 'no-store', credentials: 'omit', signal,
  })
  if (!answer.ok) throw await refusal(answer)
  return new EventSplitter().push(await answer.text()).filter(data => data !== '[DONE]')
    .map(data => JSON.parse(data) as StreamEvent)
}

async function show(events: StreamEvent[], times: number[], signal: AbortSignal, draw: (turn: Turn) => void): Promise<void> {
  let turn = newTurn('replay', null, { model: '', input: '', background: true, stream: true }, 0)
  const start = performance.now()
  for (let next = 0; next < events.length && !signal.aborted;) {
    const now = performance.now() - start
    while (next < events.length && times[next]! <= now) turn = apply(turn, events[next++]!, now)
    draw(turn)
    await new Promise(resolve => setTimeout(resolve, DRAW_MS))
  }
}
