import { describe, expect, it } from 'vitest'
import { follow, type Surroundings } from '../src/follow'
import { Gateway, UNREACHABLE } from '../src/gateway'
import { newTurn, type Turn } from '../src/turn'
import type { StreamEvent } from '../src/wire'
import { golden, play, REQUEST } from './golden'

const EVENTS = golden('reasoning-summary')
const ID = EVENTS[0]!.response!.id
const TURN = newTurn('key-1', 'Why?', REQUEST, 0)

type Answer = (path: string, init: RequestInit) => Response | Promise<Response>

/** Answers one request after the other; one more is an error of the test. */
class Script {
  readonly asked: { method: string; path: string; headers: Record<string, string>; body: unknown }[] = []
  readonly pauses: number[] = []
  readonly interrupted: boolean[] = []
  private readonly answers: Answer[]

  constructor(...answers: Answer[]) {
    this.answers = answers
  }

  run(turn: Turn = TURN, stop = new AbortController()): Promise<Turn> {
    const gateway = new Gateway(() => 'secret', async (path, init) => {
      this.asked.push({ method: init.method!, path, headers: init.headers as never, body: init.body })
      const answer = this.answers.shift()
      if (!answer) throw new Error(`asked too often: ${path}`)
      return answer(path, init)
    })
    const around: Surroundings = {
      now: () => 1,
      pause: async millis => { this.pauses.push(millis) },
      show: (_, interrupted) => { this.interrupted.push(interrupted) },
    }
    return follow(turn, gateway, around, stop.signal)
  }
}

const text = (events: StreamEvent[]): string => events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')

const stream = (events: StreamEvent[], cut = false): Answer => () => new Response(new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode(text(events)))
    if (!cut) controller.close()
  },
  pull(controller) {
    if (cut) controller.error(new TypeError('network'))
  },
}))

const refuse = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  () => new Response(JSON.stringify({ error: { message: 'because', code } }), { status, headers })

const unreachable: Answer = () => { throw new TypeError('Failed to fetch') }

describe('following a turn', () => {
  it('sends the request once, under its key, and reads to the end', async () => {
    const script = new Script(stream(EVENTS))
    const turn = await script.run()
    const now = play(EVENTS).parts.map(part => ('began' in part ? { ...part, began: 1, ended: 1 } : part))
    expect(turn.parts).toEqual(now)
    expect(script.asked).toHaveLength(1)
    expect(script.asked[0]).toMatchObject({ method: 'POST', path: '/v1/responses', body: JSON.stringify(REQUEST) })
    expect(script.asked[0]!.headers).toMatchObject({ Authorization: 'Bearer secret', 'Idempotency-Key': 'key-1' })
    expect(turn.times.exact).toBe(true)
  })

  const counts = EVENTS.map((_, index) => index).slice(1)
  it.each(counts)('reads on after event %i when the connection is lost', async count => {
    const script = new Script(stream(EVENTS.slice(0, count), true), unreachable, stream(EVENTS.slice(count)))
    const turn = await script.run()
    expect(turn.state).toBe('completed')
    expect(turn.parts.at(-1)).toMatchObject({ text: '42' })
    const again = `/v1/responses/${ID}?stream=true&starting_after=${count - 1}`
    expect(script.asked.slice(1).map(one => one.path)).toEqual([again, again])
    expect(script.interrupted).toContain(true)
    expect(turn.times.exact).toBe(false)
  })

  it('reads on when a stream ends without an ending', async () => {
    const script = new Script(stream(EVENTS.slice(0, 5)), stream(EVENTS.slice(5)))
    expect((await script.run()).state).toBe('completed')
    expect(script.pauses).toEqual([250])
  })

  it('sends the same request again under the same key while it knows no response', async () => {
    const inUse = refuse(409, 'idempotency_key_in_use', { 'retry-after': '2' })
    const script = new Script(unreachable, inUse, stream(EVENTS))
    expect((await script.run()).state).toBe('completed')
    expect(new Set(script.asked.map(one => one.headers['Idempotency-Key']))).toEqual(new Set(['key-1']))
    expect(script.pauses).toEqual([250, 2_000])
  })

  it.each([
    [429, 'A limit is reached'],
    [503, 'The gateway is busy or a part of it is away'],
    [500, 'The gateway failed'],
    [401, 'The gateway does not accept this key'],
    [403, 'This key may not do that'],
    [400, 'The gateway refused the request'],
  ])('shows a refusal %i of the request at once', async (status, title) => {
    const turn = await new Script(refuse(status, 'x', { 'retry-after': '7' })).run()
    expect(turn).toMatchObject({ state: 'failed', failure: { title } })
    expect(turn.failure!.detail).toBe('because Try again in 7 s.')
  })

  it('waits as long as the gateway says when reading on is refused for now', async () => {
    const busy = refuse(503, 'x', { 'retry-after': '9' })
    const script = new Script(stream(EVENTS.slice(0, 5), true), busy, stream(EVENTS.slice(5)))
    expect((await script.run()).state).toBe('completed')
    expect(script.pauses).toEqual([250, 9_000])
  })

  it('reads the stored ending where the events are gone', async () => {
    const final = EVENTS.at(-1)!.response!
    const script = new Script(refuse(400, 'replay_window_passed'), () => Response.json(final))
    const turn = await script.run(play(EVENTS.slice(0, 5)))
    expect(turn.state).toBe('completed')
    expect(script.asked.at(-1)!.path).toBe(`/v1/responses/${ID}`)
  })

  it('fails where the response is gone', async () => {
    const turn = await new Script(refuse(404, 'not_found')).run(play(EVENTS.slice(0, 5)))
    expect(turn).toMatchObject({ state: 'failed', failure: { title: 'Not found' } })
  })

  it('gives up after a bounded number of tries', async () => {
    const script = new Script(...Array<Answer>(300).fill(unreachable))
    const turn = await script.run()
    expect(turn.failure).toEqual(UNREACHABLE)
    expect(script.pauses.length).toBe(240)
    expect(Math.max(...script.pauses)).toBe(8_000)
  })

  it('stops asking when it is stopped', async () => {
    const stop = new AbortController()
    const script = new Script(() => { stop.abort(); throw new DOMException('aborted', 'AbortError') })
    expect((await script.run(TURN, stop)).state).toBe('running')
    expect(script.asked).toHaveLength(1)
  })
})
