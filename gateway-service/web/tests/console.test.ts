import { describe, expect, it, vi } from 'vitest'
import { Admin, reasonOf, type UsageLine, type Worker } from '../src/console/admin'
import { modelsOf } from '../src/console/overview'
import { enteredLimits, limitsOf, textsOf } from '../src/console/parts'
import { byDay, days, top, totals } from '../src/console/plot'
import { hopsOf, pace, type Story } from '../src/console/story'
import { pages } from '../src/console/tenants'
import { golden } from './golden'
import { STORY as SAMPLE } from '../journeys/suite'

const STORY = SAMPLE as Story
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status })

describe('the admin API', () => {
  it('gets the token with each request, and nothing else keeps it', async () => {
    const fetch = vi.fn((_path: string, _init: RequestInit) => Promise.resolve(json(200, { data: [] })))
    const admin = new Admin(() => {}, fetch)
    await admin.open('secret')
    await admin.makeTenant({ name: 'a' })
    expect(fetch.mock.calls.map(([path]) => path)).toEqual(['/admin/tenants?limit=100', '/admin/tenants'])
    for (const [path, init] of fetch.mock.calls) {
      expect(path).not.toContain('secret')
      expect(init).toMatchObject({ headers: { Authorization: 'Bearer secret' }, credentials: 'omit', cache: 'no-store' })
    }
    expect(JSON.stringify(admin)).not.toContain('secret')
  })

  it('is closed by a token that the gateway does not accept', async () => {
    const onClosed = vi.fn()
    let status = 401
    const admin = new Admin(onClosed, () => Promise.resolve(json(status, { error: { message: 'no' }, data: [] })))
    const error = await admin.open('wrong').catch((thrown: unknown) => thrown)
    expect(reasonOf(error)).toBe('The gateway does not accept this token.')
    expect(admin.isOpen).toBe(false)
    status = 200
    await admin.open('right')
    status = 401
    onClosed.mockClear()
    await expect(admin.workers()).rejects.toThrow()
    expect([admin.isOpen, onClosed.mock.calls.length]).toEqual([false, 1])
  })

  it('reads names as part of a path, whatever they hold', async () => {
    const fetch = vi.fn((_path: string) => Promise.resolve(json(200, {})))
    await new Admin(() => {}, fetch).revokeKey('../x', 'a/b?c')
    expect(fetch.mock.calls[0]![0]).toBe('/admin/tenants/..%2Fx/keys/a%2Fb%3Fc')
  })

  it('has lists of several pages', async () => {
    const read = vi.fn((after?: string) => Promise.resolve(
      after ? { data: [3], last_id: 'c', has_more: false } : { data: [1, 2], last_id: 'b', has_more: true }))
    expect(await pages(read)).toEqual([1, 2, 3])
    expect(read.mock.calls).toEqual([[undefined], ['b']])
  })
})

describe('limits', () => {
  it('are none where the field is empty', () => {
    const texts = { ...textsOf(), tokens_per_day: '5' }
    expect(limitsOf(texts)).toEqual(
      { requests_per_minute: null, tokens_per_minute: null, tokens_per_day: 5, concurrent_streams: null })
    expect(enteredLimits(texts)).toEqual({ tokens_per_day: 5 })
    expect(textsOf(limitsOf(texts))).toEqual(texts)
  })
})

describe('usage', () => {
  const line = (day: string, model: string, requests: number): UsageLine => ({
    day, tenant: 't', key: 'k', model, requests, input_tokens: 1, cached_tokens: 0, output_tokens: 2, reasoning_tokens: 1,
  })
  const lines = [line('2026-11-01', 'a', 3), line('2026-11-03', 'a', 4), line('2026-11-03', 'b', 9)]

  it('has each day, also those without use', () => {
    expect(byDay(lines, 'requests', '2026-11-01', '2026-11-04').map(point => point.value)).toEqual([3, 0, 13, 0])
    expect(days('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(days('2026-02-02', '2026-02-01')).toEqual([])
  })

  it('is summed by tenant, key and model', () => {
    expect(totals(lines, 'requests').map(one => [one.model, one.requests, one.output_tokens])).toEqual(
      [['b', 9, 2], ['a', 7, 4]])
    expect(lines[0]!.requests).toBe(3)
  })

  it.each([[0, 1], [1, 1], [13, 20], [50, 50], [51, 100], [1_234_567, 2_000_000]])('of %i has a scale up to %i', (value, end) => {
    expect(top([0, value])).toBe(end)
  })
})

describe('models', () => {
  it('count the slots of ready workers', () => {
    const worker = (state: string, busy: number): Worker =>
      ({ id: state, model: 'm', description: '', state, slots: 4, busy, context_length: 1, last_seen: 0 })
    expect(modelsOf([worker('ready', 1), worker('ready', 2), worker('silent', 4), worker('dead', 4), worker('left', 0)]))
      .toEqual([{ model: 'm', description: '', workers: 3, ready: 2, slots: 8, busy: 3 }])
  })
})

describe('a replay', () => {
  const events = golden('reasoning-summary')

  it('goes at the pace of the hops', () => {
    const times = pace(events, STORY)
    const first = (type: string) => times[events.findIndex(event => event.type === type)]
    expect([times[0], times.at(-1)]).toEqual([0, 3_100])
    expect(first('response.reasoning_summary_text.delta')).toBe(1_900)
    expect(first('response.output_text.delta')).toBe(2_480)
    expect(times.every((time, index) => index === 0 || time >= times[index - 1]!)).toBe(true)
  })

  it('comes at once where no times are known', () => {
    const unknown: Story = { id: '', source: 'row', status: null, warnings: [], replay: STORY.replay }
    expect(pace(events, unknown).every(time => time === 0)).toBe(true)
    expect(pace([], STORY)).toEqual([])
    expect(hopsOf(unknown)).toEqual([])
  })

  it('has hops in the order of their times', () => {
    expect(hopsOf(STORY).map(hop => `${hop.offset} +${hop.took} ${hop.name}`)).toEqual([
      '0 +0 accepted', '40 +40 taken by a worker', '310 +270 first reasoning', '1400 +1090 worker lost',
      '1400 +0 attempt 2 opened', '1432 +32 taken by a worker', '1650 +218 first reasoning',
      '1900 +250 summary began', '2480 +580 first text', '2500 +20 summary ended', '3100 +600 ended: stop'])
  })
})
