import { expect, test } from '@playwright/test'
import { answer, ask, complete, faults, gatewayProcess, KEY, numbers, open, RAW_KEY, upTo } from './suite'

test('takes the key out of the address and keeps it in the tab', async ({ page, context }) => {
  await open(page)
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(KEY)
  await page.reload()
  await expect(page.getByLabel('Your question')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByLabel('API key')).toBeVisible()
  await expect(page.getByText('simulated', { exact: true })).toBeVisible()
})

test('asks and shows the answer with its figures', async ({ page }) => {
  await open(page)
  const turn = await ask(page, 'say: The **sky** is blue.\n\n| a | b |\n|---|---|\n| 1 | 2 |')
  await complete(turn)
  await expect(answer(turn).locator('strong')).toHaveText('sky')
  await expect(turn.getByRole('cell', { name: '2' })).toBeVisible()
  for (const label of ['First text', 'Queue', 'Speed', 'Reasoning']) {
    await expect(turn.locator('dt', { hasText: label })).toBeVisible()
  }
  await turn.getByRole('button', { name: 'Show as code' }).click()
  for (const language of ['Python', 'JavaScript', 'Java', 'curl']) {
    await page.getByText(language, { exact: true }).first().click()
    await expect(page.getByRole('dialog').locator('pre')).toContainText('COUNTERPOINT_API_KEY')
    expect(await page.getByRole('dialog').innerText()).not.toContain(KEY)
  }
  expect(await faults(page)).toEqual([])
})

test('shows the summary in a closed fold', async ({ page }) => {
  await open(page)
  const thought = 'The user asks how to sort a list. First I compare two algorithms. Then I check the result.'
  const turn = await ask(page, `think: ${thought}\nsay: Use merge sort.`)
  await complete(turn)
  const fold = turn.locator('details').first()
  await expect(fold).not.toHaveAttribute('open')
  await fold.locator('summary').click()
  await expect(fold.locator('.fold strong').first()).toBeVisible()
  await expect(turn.getByText('Raw chain of thought')).toHaveCount(0)
  await expect(turn.locator('.answer')).not.toContainText('compare two algorithms')
  expect(await faults(page)).toEqual([])
})

test('marks raw reasoning, which only a raw key gets', async ({ page }) => {
  await open(page, RAW_KEY)
  const turn = await ask(page, 'think: <script>document.title = "ran"</script> secret thought\nsay: Done.')
  await complete(turn)
  await turn.getByText('Raw chain of thought').click()
  await expect(turn.locator('.raw')).toContainText('<script>document.title = "ran"</script> secret thought')
  await expect(turn.locator('.raw .mark')).toHaveText('raw key')
  await expect(page).toHaveTitle('Counterpoint')
})

test('lets the model call functions and sends their results', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Functions' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  expect(await faults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Weather' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.keyboard.press('Escape')
  const calls = 'call: search_notes {"words": "tea", "most": 2}\ncall: get_weather {"city": "Paris"}'
  const turn = await ask(page, `${calls}\nsay: Both are known.`)
  await complete(turn)
  await expect(turn.getByLabel('Call of search_notes')).toContainText('"words": "tea"')
  await turn.getByLabel('Result').fill('["green tea"]')
  await turn.getByRole('button', { name: 'Send the result' }).click()
  await expect(turn.getByLabel('Call of search_notes')).toContainText('green tea')
  // The weather has a result of its own, which the page sends without asking.
  const last = page.getByRole('article').last()
  await expect(last).toContainText('Both are known.')
  await expect(page.getByLabel('Call of get_weather')).toContainText('"celsius": 21')
})

test('holds an answer to a strict schema', async ({ page }) => {
  await open(page)
  await page.getByLabel('Your question').fill('Half a question')
  await page.getByRole('button', { name: 'Schema' }).click()
  await page.getByLabel('JSON Schema').fill('{')
  await expect(page.getByRole('dialog')).toContainText('The schema is not JSON')
  await expect(page.getByRole('button', { name: 'Use the schema' })).toBeDisabled()
  await page.getByRole('button', { name: 'Labels' }).click()
  await expect(page.getByRole('switch', { name: /Strict/ })).toBeChecked()
  await page.getByRole('button', { name: 'Use the schema' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByLabel('Your question')).toHaveValue('Half a question')
  await expect(page.getByRole('article')).toHaveCount(0)
  const turn = await ask(page, 'What is the mood of "I love this"?')
  await complete(turn)
  const answer = JSON.parse(await turn.locator('pre').innerText()) as Record<string, unknown>
  expect(Object.keys(answer).sort()).toEqual(['mood', 'topics'])
  expect(['good', 'neutral', 'bad']).toContain(answer.mood)
})

test('stops an answer', async ({ page }) => {
  await open(page)
  const turn = await ask(page, 'Count from 1 to 5000')
  await expect(answer(turn)).toContainText('20')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(turn).toHaveAttribute('data-state', 'cancelled')
  await expect(turn).toContainText('Stopped.')
  expect((await numbers(turn)).length).toBeLessThan(5000)
  const next = await ask(page, 'say: Going on.')
  await complete(next)
})

test('goes on after a reload in mid-answer', async ({ page }) => {
  await open(page)
  const turn = await ask(page, 'Count from 1 to 400')
  await expect(answer(turn)).toContainText('20')
  await page.reload()
  await complete(page.getByRole('article').first())
  expect(await numbers(page.getByRole('article').first())).toEqual(upTo(400))
})

test('goes on after the network was lost', async ({ page, context }) => {
  await open(page)
  const turn = await ask(page, 'Count from 1 to 400')
  await expect(answer(turn)).toContainText('20')
  await context.setOffline(true)
  await expect(turn).toContainText('Connection lost')
  await context.setOffline(false)
  await complete(turn)
  expect(await numbers(turn)).toEqual(upTo(400))
})

test('sends one request where the answer to it is lost', async ({ page }) => {
  await open(page)
  let lost = 0
  await page.route('**/v1/responses', async route => {
    if (lost++ > 0) return route.continue()
    await route.fetch({ timeout: 500 }).catch(() => {}) // it arrives, and nobody hears of it
    return route.abort()
  })
  const turn = await ask(page, 'Count from 1 to 300')
  await complete(turn)
  expect(await numbers(turn)).toEqual(upTo(300))
})

test('goes on after the gateway was killed', async ({ page }) => {
  await open(page)
  const turn = await ask(page, 'Count from 1 to 400')
  await expect(answer(turn)).toContainText('20')
  process.kill(gatewayProcess(), 'SIGKILL')
  await expect(turn).toContainText('Connection lost')
  await expect(turn).toHaveAttribute('data-state', 'completed', { timeout: 50_000 })
  expect(await numbers(turn)).toEqual(upTo(400))
})

test('says what is wrong with a key', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('API key').fill('cp-wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('does not accept this key')
  expect(await faults(page)).toEqual([])
  await page.getByLabel('API key').fill(KEY)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Your question')).toBeVisible()
})

const REFUSALS = [[429, 'A limit is reached'], [500, 'The gateway failed'], [503, 'The gateway is busy']] as const
for (const [status, title] of REFUSALS) {
  test(`shows a ${status} and asks again`, async ({ page }) => {
    await open(page)
    await page.route('**/v1/responses', route => route.fulfill({
      status, json: { error: { message: 'Made by the test.', code: 'x' } }, headers: { 'retry-after': '3' },
    }), { times: 1 })
    const turn = await ask(page, 'say: At last.')
    await expect(turn.getByRole('alert')).toContainText(`${title}`)
    await expect(turn.getByRole('alert')).toContainText('Made by the test. Try again in 3 s.')
    await turn.getByRole('button', { name: 'Try again' }).click()
    await complete(page.getByRole('article').first())
  })
}

test('says that the gateway does not answer', async ({ page }) => {
  await open(page)
  await page.route('**/v1/**', route => route.abort())
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('The gateway does not answer')
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('Your question')).toBeVisible()
})

test('edits, answers again and deletes, here and at the gateway', async ({ page, request }) => {
  const ids: string[] = []
  page.on('response', async response => {
    if (response.request().method() === 'DELETE') ids.push(`${response.url().split('/').at(-1)} ${response.status()}`)
  })
  await open(page)
  await complete(await ask(page, 'say: One.'))
  await complete(await ask(page, 'say: Two.'))
  await page.getByRole('article').first().hover()
  await page.getByRole('button', { name: 'Edit the question' }).first().click()
  await page.getByRole('textbox', { name: 'Edit the question' }).fill('say: Three.')
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await complete(page.getByRole('article').first())
  await expect(page.getByRole('article').first()).toContainText('Three.')
  await expect.poll(() => ids.length).toBe(2)
  await page.getByRole('button', { name: 'Answer again' }).click()
  await expect.poll(() => ids.length).toBe(3)
  await complete(page.getByRole('article').first())
  if (await page.getByRole('button', { name: 'Open the list of chats' }).isVisible()) {
    await page.getByRole('button', { name: 'Open the list of chats' }).click()
    expect(await faults(page)).toEqual([])
  }
  await page.getByRole('button', { name: /^Delete the chat/ }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => ids.length).toBe(4)
  for (const id of ids) {
    expect(id).toMatch(/ 200$/)
    const read = await request.get(`/v1/responses/${id.split(' ')[0]}`, { headers: { Authorization: `Bearer ${KEY}` } })
    expect(read.status()).toBe(404)
  }
  await page.reload()
  await expect(page.getByText('What would you like to know?')).toBeVisible()
})

const HOSTILE = '<script>document.title="ran"</script> <img src=x onerror="document.title=\'ran\'">'
  + ' [link](javascript:document.title="ran")'
  + ' \u202Egnp.exe <b>b</b> [data](data:text/html,<script>1</script>)'

test('shows hostile text as text', async ({ page }) => {
  await open(page)
  const turn = await ask(page, `say: ${HOSTILE}`)
  await complete(turn)
  await expect(answer(turn)).toContainText('<script>document.title="ran"</script>')
  await expect(answer(turn)).toContainText('⟨U+202E⟩gnp.exe')
  await expect(turn.locator('.question, .markdown').locator('a, img, script, b')).toHaveCount(0)
  await expect(page).toHaveTitle('Counterpoint')
})

test('shows a megabyte without a blank', async ({ page }) => {
  const id = 'resp_x'
  const item = (text: string) => ({ type: 'message', id: 'msg_x', content: [{ type: 'output_text', text }] })
  const text = 'x'.repeat(1_000_000)
  const events = [
    { type: 'response.created', response: { id, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', item: item('') },
    ...Array.from({ length: 100 }, () =>
      ({ type: 'response.output_text.delta', item_id: 'msg_x', delta: 'x'.repeat(10_000) })),
    { type: 'response.completed', response: { id, status: 'completed', output: [item(text)] } },
  ]
  await open(page)
  await page.route('**/v1/responses', route => route.fulfill({
    contentType: 'text/event-stream',
    body: events.map((event, number) => `data: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`).join(''),
  }))
  const turn = await ask(page, 'Say x.')
  await complete(turn)
  expect((await turn.locator('.plain').last().innerText()).replaceAll('\n', '').length).toBe(1_000_000)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

test('works with the keyboard alone', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a phone has none')
  await open(page)
  await expect(page.getByLabel('Your question')).toBeFocused()
  await page.keyboard.type('Count from 1 to 5000')
  await page.keyboard.press('Enter')
  await expect(answer(page.getByRole('article'))).toContainText('20')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toHaveAttribute('data-state', 'cancelled')
  await expect(page.getByRole('status')).toHaveText('Stopped')
  await page.keyboard.press('Alt+n')
  await expect(page.getByText('What would you like to know?')).toBeVisible()
})

test('measures long tasks while 5,000 tokens stream', async ({ page }) => {
  await open(page)
  await page.evaluate(() => {
    const found: number[] = []
    Object.assign(window, { found })
    new PerformanceObserver(list => found.push(...list.getEntries().map(entry => entry.duration)))
      .observe({ type: 'longtask' })
  })
  const turn = await ask(page, 'Recite 5000 verifiable words')
  await expect(turn).toHaveAttribute('data-state', 'completed', { timeout: 55_000 })
  const found = await page.evaluate(() => (window as unknown as { found: number[] }).found)
  console.log(`long tasks: ${found.length}, longest ${Math.round(Math.max(0, ...found))} ms`)
})
