import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'

export const KEY = process.env.COUNTERPOINT_API_KEY ?? ''
export const RAW_KEY = process.env.COUNTERPOINT_RAW_API_KEY ?? ''

export const ADMIN_TOKEN = process.env.COUNTERPOINT_ADMIN_TOKEN ?? ''

/** Fails the test when anything breaks the page's policy or throws. */
export function watch(page: Page): void {
  page.on('pageerror', error => { throw error })
  page.on('console', message => {
    if (/Content Security Policy|Trusted/i.test(message.text())) throw new Error(message.text())
  })
}

export async function openConsole(page: Page, path = '/console'): Promise<void> {
  watch(page)
  await page.goto(path)
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('navigation')).toBeVisible()
}

const BEGAN = Date.UTC(2026, 10, 30, 9, 0)

/** What happened to a response whose first worker died. */
export const STORY = {
  id: 'resp_1', object: 'response.story', source: 'frames', status: 'completed', tenant: 'local', key: 'key_1',
  model: 'gpt-oss-20b', gateway: 'gateway-1-5e1f', band: 'normal', background: true, stored: true, raw_reasoning: false,
  audited: false, accepted_at_ms: BEGAN, deadline_at_ms: BEGAN + 600_000, ending: 'stop', ended_at_ms: BEGAN + 3_100,
  attempts: [
    {
      number: 1, opened_at_ms: BEGAN, worker: 'worker-1-7f3a', fenced_at_ms: BEGAN + 40,
      first_reasoning_at_ms: BEGAN + 310, first_text_at_ms: null, closed_at_ms: BEGAN + 1_400, reasoning_frames: 22,
      text_frames: 0, outcome: 'lost',
    },
    {
      number: 2, opened_at_ms: BEGAN + 1_400, worker: 'worker-2-b0c4', fenced_at_ms: BEGAN + 1_432,
      first_reasoning_at_ms: BEGAN + 1_650, first_text_at_ms: BEGAN + 2_480, closed_at_ms: BEGAN + 3_100,
      reasoning_frames: 61, text_frames: 34, outcome: 'ended',
    },
  ],
  tickets_resent: 1, losing_fences: 0, void_frames: 3, steers: 0,
  tokens: { input: 1_024, cached: 960, reasoning: 312, text: 128 },
  summary: {
    parts: 2, sentences: 3, tier: 'described', first_at_ms: BEGAN + 1_900, closed_at_ms: BEGAN + 2_500,
    outcome: 'complete',
  },
  warnings: [], replay: { possible: true, until: BEGAN / 1_000 + 3_600, why_not: null },
}

/** Opens the page as the address of `up` does. */
export async function open(page: Page, key = KEY): Promise<void> {
  watch(page)
  await page.goto(`/#key=${key}`)
  await expect(page.getByLabel('Your question')).toBeVisible()
}

export async function ask(page: Page, question: string): Promise<Locator> {
  const before = await page.getByRole('article').count()
  await page.getByLabel('Your question').fill(question)
  await page.getByLabel('Your question').press('Enter')
  const turn = page.getByRole('article').nth(before)
  await expect(turn).toBeVisible()
  return turn
}

export const complete = (turn: Locator) => expect(turn).toHaveAttribute('data-state', 'completed')

/** The text of an answer, without its summary. */
export const answer = (turn: Locator): Locator => turn.locator('.answer > .markdown')

/** The numbers of an answer that counts. */
export async function numbers(turn: Locator): Promise<number[]> {
  const text = await turn.locator('.markdown').last().innerText()
  return (text.match(/\d+/g) ?? []).map(Number)
}

export const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

/** The process of the first gateway. */
export function gatewayProcess(): number {
  const file = new URL('../../../deploy/local/.state/processes', import.meta.url)
  const line = readFileSync(file, 'utf8').split('\n').find(one => one.startsWith('gateway-1 '))
  return Number(line!.split(' ')[1])
}

interface Axe {
  run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}

/** The axe rules that the page breaks, those of some weight. */
export async function faults(page: Page): Promise<string[]> {
  const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
  // Through the browser's own channel, which the page's policy does not bind.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const found = await (window as unknown as { axe: Axe }).axe.run()
    return found.violations.filter(one => one.impact === 'serious' || one.impact === 'critical')
      .map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)
  })
}
