import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { apply, ended, isOpen, newTurn, openCalls } from '../src/turn'
import { golden, play, REQUEST } from './golden'

const ALL = readdirSync(new URL('../../src/test/resources/golden/responses', import.meta.url))

describe('a turn', () => {
  it.each(ALL)('comes to its end with the events of %s', name => {
    const events = golden(name)
    const turn = play(events)
    expect(isOpen(turn)).toBe(false)
    expect(turn.sequence).toBe(events.at(-1)!.sequence_number)
  })

  it.each(ALL)('shows the same while %s streams as at its end', name => {
    const events = golden(name)
    const said = (turn: ReturnType<typeof play>) =>
      turn.parts.map(part => (part.kind === 'text' ? part.text : part.kind === 'call' ? part.arguments : part.summary))
    // A refusal or a failure may take back what was not complete.
    if (events.at(-1)!.type !== 'response.completed') return
    expect(said(play(events.slice(0, -1)))).toEqual(said(play(events)))
  })

  it('keeps summary and raw reasoning apart', () => {
    const summary = play(golden('reasoning-summary')).parts[0]
    const raw = play(golden('reasoning-raw')).parts[0]
    expect(summary).toMatchObject({ kind: 'reasoning', raw: '' })
    expect(summary).toHaveProperty('summary.length', 3)
    expect(raw).toMatchObject({ kind: 'reasoning', raw: 'Think hard', summary: [] })
  })

  it('changes nothing when events come a second time', () => {
    const events = golden('reasoning-summary')
    const half = play(events.slice(0, 12))
    expect(play([...events.slice(4, 12)], half)).toBe(half)
    expect(play(events, half).parts).toEqual(play(events).parts.map((part, index) =>
      index === 0 ? { ...part, ended: expect.anything() } : part))
  })

  it('leaves calls open until they have results', () => {
    const turn = play(golden('parallel-calls'))
    const calls = openCalls(turn)
    expect(calls.length).toBeGreaterThan(1)
    const answered = { ...turn, parts: turn.parts.map(part => (part.kind === 'call' ? { ...part, result: '' } : part)) }
    expect(openCalls(answered)).toEqual([])
  })

  it('keeps what was said when it is cancelled', () => {
    const turn = play(golden('cancelled'))
    expect(turn).toMatchObject({ state: 'cancelled', parts: [{ kind: 'text', text: 'Hel' }] })
    expect(turn.failure).toBeUndefined()
  })

  it('says why it failed', () => {
    expect(play(golden('failed-after-output')).failure?.detail).toMatch(/./)
    expect(play(golden('cut-inside-text')).failure?.title).toBe('The answer is cut off')
  })

  it('ends by the answer to a cancellation, once', () => {
    const half = play(golden('cancelled').slice(0, 5))
    const response = golden('cancelled').at(-1)!.response!
    const turn = ended(half, response, 9)
    expect(turn).toMatchObject({ state: 'cancelled', times: { ended: 9 } })
    expect(apply(turn, golden('cancelled').at(-1)!, 10)).toBe(turn)
  })

  it('waits while the server still answers', () => {
    const turn = newTurn('t', 'Why?', REQUEST, 0)
    expect(ended(turn, golden('text')[0]!.response!, 1)).toBe(turn)
  })

  it('measures the time to the first sign and the first text', () => {
    const turn = play(golden('reasoning-summary'))
    expect(turn.times).toMatchObject({ sent: 0, accepted: 1_000, firstSign: 3_000, firstText: 19_000, ended: 23_000 })
    expect(turn.parts[0]).toMatchObject({ began: 3_000, ended: 16_000 })
  })
})
