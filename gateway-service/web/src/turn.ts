import type { OutputItem, ResponseObject, ResponseRequest, StreamEvent, Usage } from './wire'

/** One thing that the model did, in the order of the response's output. */
export type Part =
  | { kind: 'reasoning'; id: string; summary: string[]; raw: string; began: number; ended?: number }
  | { kind: 'text'; id: string; text: string; refusal: boolean }
  | { kind: 'call'; id: string; callId: string; name: string; arguments: string; complete: boolean; result?: string }

export type TurnState = 'running' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

export interface Failure {
  title: string
  detail: string
  /** Whether sending the same again may help. */
  again: boolean
}

/** Milliseconds of this browser's clock. `exact` is false where a reload or an interruption came between. */
export interface Times {
  sent: number
  accepted?: number
  firstSign?: number
  firstText?: number
  ended?: number
  exact: boolean
}

/** A question, or results of tools, and what the model answered. All of it is plain data that the browser keeps. */
export interface Turn {
  id: string
  question: string | null
  request: ResponseRequest
  responseId?: string
  /** The number of the last event that `parts` hold; -1 before the first. */
  sequence: number
  state: TurnState
  parts: Part[]
  times: Times
  usage?: Usage
  warnings: string[]
  failure?: Failure
  stopping?: boolean
}

export function newTurn(id: string, question: string | null, request: ResponseRequest, now: number): Turn {
  return {
    id, question, request, sequence: -1, state: 'running', parts: [], warnings: [],
    times: { sent: now, exact: true },
  }
}

export const isOpen = (turn: Turn): boolean => turn.state === 'running'

/** Calls that wait for a result. */
export const openCalls = (turn: Turn): (Part & { kind: 'call' })[] =>
  turn.state === 'completed'
    ? turn.parts.filter((part): part is Part & { kind: 'call' } => part.kind === 'call' && part.result === undefined)
    : []

/** The turn after an event. Events that came before, as after a reconnection, change nothing. */
export function apply(turn: Turn, event: StreamEvent, now: number): Turn {
  if (!isOpen(turn) || event.sequence_number <= turn.sequence) return turn
  const next: Turn = { ...turn, sequence: event.sequence_number }
  if (event.response) {
    next.responseId = event.response.id
    next.times = { ...next.times, accepted: next.times.accepted ?? now }
  }
  switch (event.type) {
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return ended(next, event.response!, now)
    case 'error':
      return failed(next, { title: 'The answer broke off', detail: event.message ?? '', again: true }, now)
    case 'response.output_item.added':
      next.times = { ...next.times, firstSign: next.times.firstSign ?? now }
      next.parts = begin(next.parts, event, now)
      return next
    default:
      return inPart(next, event, now)
  }
}

/** The turn with the ending that the server holds, as a cancellation or a plain GET returns it. */
export function ended(turn: Turn, response: ResponseObject, now: number): Turn {
  if (response.status === 'queued' || response.status === 'in_progress') return turn
  const next: Turn = {
    ...turn,
    responseId: response.id,
    state: response.status,
    parts: whole(turn.parts, response.output, now),
    times: { ...turn.times, ended: now },
    warnings: response.warnings ?? [],
    ...(response.usage ? { usage: response.usage } : {}),
  }
  delete next.stopping
  if (response.status === 'failed') {
    next.failure = { title: 'The model could not answer', detail: response.error?.message ?? '', again: true }
  }
  if (response.status === 'incomplete') {
    const reason = response.incomplete_details?.reason ?? 'unknown'
    next.failure = {
      title: 'The answer is cut off',
      detail: reason === 'max_output_tokens' ? 'It reached the most tokens that it may have.' : `Reason: ${reason}.`,
      again: true,
    }
  }
  return next
}

export function failed(turn: Turn, failure: Failure, now: number): Turn {
  const next: Turn = { ...turn, state: 'failed', failure, times: { ...turn.times, ended: now } }
  delete next.stopping
  return next
}

function begin(parts: Part[], event: StreamEvent, now: number): Part[] {
  const item = event.item!
  const part = partOf(item, now)
  return part ? [...closed(parts, now), part] : parts
}

/** Reasoning ends where something else begins. */
const closed = (parts: Part[], now: number): Part[] =>
  parts.map(part => (part.kind === 'reasoning' && part.ended === undefined ? { ...part, ended: now } : part))

function partOf(item: OutputItem, now: number): Part | null {
  switch (item.type) {
    case 'reasoning':
      return {
        kind: 'reasoning', id: item.id, began: now,
        summary: (item.summary ?? []).map(part => part.text),
        raw: (item.content ?? []).map(part => part.text ?? '').join('\n\n'),
      }
    case 'message':
      return {
        kind: 'text', id: item.id,
        text: (item.content ?? []).map(part => part.text ?? part.refusal ?? '').join(''),
        refusal: (item.content ?? []).some(part => part.type === 'refusal'),
      }
    case 'function_call':
    case 'custom_tool_call':
      return {
        kind: 'call', id: item.id, callId: item.call_id ?? '', name: item.name ?? '',
        arguments: item.arguments ?? item.input ?? '', complete: false,
      }
    default:
      return null
  }
}

/** The parts as the ending has them; what only the stream knows (times, raw reasoning, results) stays. */
function whole(parts: Part[], output: OutputItem[], now: number): Part[] {
  const before = new Map(parts.map(part => [part.id, part]))
  return output.flatMap((item): Part[] => {
    const part = partOf(item, now)
    if (!part) return []
    const known = before.get(part.id)
    if (part.kind === 'reasoning') {
      const old = known?.kind === 'reasoning' ? known : undefined
      return [{
        ...part, began: old?.began ?? now, ended: old?.ended ?? now, raw: part.raw || (old?.raw ?? ''),
        summary: part.summary.length > 0 ? part.summary : (old?.summary ?? []),
      }]
    }
    if (part.kind === 'call') {
      const result = known?.kind === 'call' ? known.result : undefined
      return [{ ...part, complete: true, ...(result === undefined ? {} : { result }) }]
    }
    return [part]
  })
}

function inPart(turn: Turn, event: StreamEvent, now: number): Turn {
  const id = event.item_id ?? event.item?.id
  const index = turn.parts.findLastIndex(part => part.id === id)
  const part = turn.parts[index]
  if (!part) return turn
  const changed = change(part, event, now)
  if (changed === part) return turn
  const parts = turn.parts.slice()
  parts[index] = changed
  const isText = event.type === 'response.output_text.delta' || event.type === 'response.refusal.delta'
  const times = isText && turn.times.firstText === undefined ? { ...turn.times, firstText: now } : turn.times
  return { ...turn, parts, times }
}

function change(part: Part, event: StreamEvent, now: number): Part {
  const delta = event.delta ?? ''
  switch (event.type) {
    case 'response.output_text.delta':
      return part.kind === 'text' ? { ...part, text: part.text + delta } : part
    case 'response.refusal.delta':
      return part.kind === 'text' ? { ...part, text: part.text + delta, refusal: true } : part
    case 'response.reasoning_text.delta':
      return part.kind === 'reasoning' ? { ...part, raw: part.raw + delta } : part
    case 'response.reasoning_summary_text.delta': {
      if (part.kind !== 'reasoning') return part
      const summary = part.summary.slice()
      const index = event.summary_index ?? 0
      summary[index] = (summary[index] ?? '') + delta
      return { ...part, summary }
    }
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return part.kind === 'call' ? { ...part, arguments: part.arguments + delta } : part
    case 'response.output_item.done':
      if (part.kind === 'reasoning') return { ...part, ended: now }
      return part.kind === 'call' ? { ...part, complete: true } : part
    default:
      return part
  }
}
