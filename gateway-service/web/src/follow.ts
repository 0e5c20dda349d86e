import { Refusal, UNREACHABLE, type Gateway } from './gateway'
import { EventSplitter } from './sse'
import { apply, ended, failed, isOpen, type Turn } from './turn'
import type { StreamEvent } from './wire'

/** What following a turn needs from the page; tests put their own here. */
export interface Surroundings {
  now(): number
  /** Waits, or returns sooner where the network comes back or the signal is aborted. */
  pause(millis: number, signal: AbortSignal): Promise<void>
  /** Shows the turn; `interrupted` while nothing comes because of the network. */
  show(turn: Turn, interrupted: boolean): void
}

/** The gateway writes something at least every 15 s; after three times that the connection is dead. */
const SILENCE_MAX_MS = 45_000
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000]
/** About half an hour. */
const RETRIES_MAX = 240

/**
 * Brings a turn to its end: sends its request, or reads on where an earlier stream stopped. A connection that is lost
 * is opened again. Without a response id the same request is sent again under its idempotency key, so it runs once.
 */
export async function follow(start: Turn, gateway: Gateway, around: Surroundings, stop: AbortSignal): Promise<Turn> {
  let turn = start
  let retries = 0
  while (isOpen(turn) && !stop.aborted) {
    const before = turn.sequence
    try {
      turn = await readStream(turn, gateway, around, stop)
    } catch (error) {
      if (stop.aborted) break
      const last = error instanceof PartRead ? error.turn : turn
      const cause = error instanceof PartRead ? error.cause : error
      turn = await afterFailure(last, cause, gateway, around)
      if (!isOpen(turn)) break
      retries = turn.sequence > before ? 0 : retries
      if (retries >= RETRIES_MAX) return failed(turn, UNREACHABLE, around.now())
      turn = { ...turn, times: { ...turn.times, exact: false } }
      around.show(turn, true)
      const asked = cause instanceof Refusal ? (cause.retryAfter ?? 0) * 1_000 : 0
      await around.pause(Math.max(asked, PAUSES_MS[Math.min(retries, PAUSES_MS.length - 1)]!), stop)
      retries++
    }
  }
  return turn
}

/** A stream that ended too soon, and the turn as far as it was read. */
class PartRead extends Error {
  constructor(readonly turn: Turn, override readonly cause: unknown) {
    super()
  }
}

/** Returns the turn, open where trying again makes sense. */
async function afterFailure(turn: Turn, cause: unknown, gateway: Gateway, around: Surroundings): Promise<Turn> {
  if (!(cause instanceof Refusal)) return turn
  if (turn.responseId && cause.code === 'replay_window_passed') {
    try {
      return ended(turn, await gateway.read(turn.responseId), around.now())
    } catch (error) {
      return error instanceof Refusal && !error.passes ? failed(turn, error.failure(), around.now()) : turn
    }
  }
  // A refused request is shown at once; reading on is tried again.
  const waits = turn.responseId ? cause.passes : cause.code === 'idempotency_key_in_use'
  return waits ? turn : failed(turn, cause.failure(), around.now())
}

async function readStream(turn: Turn, gateway: Gateway, around: Surroundings, stop: AbortSignal): Promise<Turn> {
  const silence = new AbortController()
  const offline = () => silence.abort()
  globalThis.addEventListener?.('offline', offline)
  let timer = setTimeout(offline, SILENCE_MAX_MS)
  let read = turn
  try {
    const signal = AbortSignal.any([stop, silence.signal])
    const answer = await (turn.responseId
      ? gateway.stream('GET', `/v1/responses/${turn.responseId}?stream=true&starting_after=${turn.sequence}`, signal)
      : gateway.stream('POST', '/v1/responses', signal, {
          body: JSON.stringify(turn.request),
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': turn.id },
        }))
    const splitter = new EventSplitter()
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(offline, SILENCE_MAX_MS)
      for (const data of splitter.push(chunk.value)) {
        if (data !== '[DONE]') read = apply(read, JSON.parse(data) as StreamEvent, around.now())
      }
      if (read !== turn) around.show(read, false)
    }
  } catch (error) {
    throw new PartRead(read, error)
  } finally {
    clearTimeout(timer)
    globalThis.removeEventListener?.('offline', offline)
  }
  if (isOpen(read)) throw new PartRead(read, new Error('the stream ended without an ending'))
  return read
}
