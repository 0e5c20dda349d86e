import type { StreamEvent } from '../wire'

/** What happened to one response, as `GET /admin/responses/{id}` returns it. Without its log much of it is not known. */
export interface Story {
  id: string
  source: 'frames' | 'record' | 'ledger' | 'row'
  status: string | null
  replay: { possible: boolean; until: number; why_not: string | null }
  warnings: string[]
  tenant?: string
  key?: string
  model?: string
  gateway?: string
  band?: string
  audited?: boolean
  accepted_at_ms?: number
  ending?: string | null
  ended_at_ms?: number | null
  attempts?: Attempt[]
  tickets_resent?: number | null
  losing_fences?: number
  void_frames?: number
  steers?: number
  tokens?: { input: number; cached: number; reasoning: number; text: number } | null
  summary?: Summary | null
}

/** Times are milliseconds since 1970. */
export interface Attempt {
  number: number
  opened_at_ms: number
  worker: string | null
  fenced_at_ms: number | null
  first_reasoning_at_ms: number | null
  first_text_at_ms: number | null
  closed_at_ms: number | null
  reasoning_frames: number
  text_frames: number
  outcome: string
}

export interface Summary {
  parts: number
  sentences: number
  tier: string | null
  first_at_ms: number | null
  closed_at_ms: number | null
  outcome: string
}

/** A moment in the life of a response. */
export interface Hop {
  name: string
  at: number
  /** Milliseconds since the first hop. */
  offset: number
  /** Milliseconds since the hop before. */
  took: number
}

/** The moments that are known, in their order. */
export function hopsOf(story: Story): Hop[] {
  const known: [string, number | null | undefined][] = [['accepted', story.accepted_at_ms]]
  for (const one of story.attempts ?? []) {
    if (one.number > 1) known.push([`attempt ${one.number} opened`, one.opened_at_ms])
    known.push(
      ['taken by a worker', one.fenced_at_ms],
      ['first reasoning', one.first_reasoning_at_ms],
      ['first text', one.first_text_at_ms])
    if (one.outcome === 'lost' || one.outcome === 'handed_over') known.push([OUTCOMES[one.outcome]!, one.closed_at_ms])
  }
  known.push(['summary began', story.summary?.first_at_ms], ['summary ended', story.summary?.closed_at_ms])
  known.push([`ended: ${story.ending ?? 'unknown'}`, story.ended_at_ms])
  const sorted = known.filter((one): one is [string, number] => typeof one[1] === 'number')
    .sort((one, other) => one[1] - other[1])
  return sorted.map(([name, at], index) =>
    ({ name, at, offset: at - sorted[0]![1], took: index === 0 ? 0 : at - sorted[index - 1]![1] }))
}

export const OUTCOMES: Record<string, string> = {
  queued: 'waits for a worker', running: 'running', handed_over: 'handed over', lost: 'worker lost', ended: 'ended',
  stopped: 'stopped by the gateway',
}

/**
 * When each event of a replay is shown, in milliseconds since its start. Events carry no times of their own: the first
 * ones of reasoning, summary and text and the last one come at their hops, and the others are spread evenly between.
 */
export function pace(events: StreamEvent[], story: Story): number[] {
  const start = story.accepted_at_ms ?? 0
  const attempt = story.attempts?.at(-1)
  const marks: [number, number][] = [[0, 0]]
  const mark = (index: number, at: number | null | undefined) => {
    const [last, time] = marks.at(-1)!
    if (index > last && typeof at === 'number') marks.push([index, Math.max(time, at - start)])
  }
  const first = (type: string) => events.findIndex(event => event.type === type)
  mark(first('response.reasoning_text.delta'), attempt?.first_reasoning_at_ms)
  mark(first('response.reasoning_summary_text.delta'), story.summary?.first_at_ms)
  mark(first('response.output_text.delta'), attempt?.first_text_at_ms)
  mark(events.length - 1, story.ended_at_ms)
  return events.map((_, index) => {
    const next = Math.max(1, marks.findIndex(([at]) => at >= index))
    const [from, since] = marks[next - 1]!
    const [to, until] = marks[next] ?? [from, since]
    return to === from ? since : since + (until - since) * ((index - from) / (to - from))
  })
}
