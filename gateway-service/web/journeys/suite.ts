import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'

export const KEY = process.env.COUNTERPOINT_API_KEY ?? ''
export const RAW_KEY = process.env.COUNTERPOINT_RAW_API_KEY ?? ''

/** Opens the page as the address of `up` does. Fails the test when anything breaks the page's policy or throws. */
export async function open(page: Page, key = KEY): Promise<void> {
  page.on('pageerror', error => { throw error })
  page.on('console', message => {
    if (/Content Security Policy|Trusted/i.test(message.text())) throw new Error(message.text())
  })
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
