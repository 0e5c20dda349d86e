import { readFileSync } from 'node:fs'
import { EventSplitter } from '../src/sse'
import { apply, newTurn, type Turn } from '../src/turn'
import type { ResponseRequest, StreamEvent } from '../src/wire'

export const REQUEST: ResponseRequest = { model: 'm', input: 'Why?', background: true, stream: true }

/** The events that a test of the gateway compares with. */
export function golden(name: string): StreamEvent[] {
  const path = new URL(`../../src/test/resources/golden/responses/${name}/then.sse`, import.meta.url)
  return new EventSplitter().push(readFileSync(path, 'utf8')).filter(data => data !== '[DONE]')
    .map(data => JSON.parse(data) as StreamEvent)
}

/** Each event comes a second after the one before. */
export function play(events: StreamEvent[], turn: Turn = newTurn('t', 'Why?', REQUEST, 0)): Turn {
  return events.reduce((now, event, index) => apply(now, event, (index + 1) * 1_000), turn)
}
