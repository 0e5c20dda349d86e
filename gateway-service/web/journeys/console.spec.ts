import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { ADMIN_TOKEN, ask, complete, faults, KEY, open, openConsole, STORY, watch } from './suite'

const AS_ADMIN = { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } }
const name = () => `journey-${Date.now()}`

/** What no console may do: widen the page, or break a rule of axe. */
async function isSound(page: Page): Promise<void> {
  expect(await faults(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}

async function answered(request: APIRequestContext, input: string): Promise<string> {
  const answer = await request.post('/v1/responses', {
    headers: { Authorization: `Bearer ${KEY}` }, data: { model: 'gpt-oss-20b', input, background: true },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  const { id } = (await answer.json()) as { id: string }
  await expect.poll(async () => {
    const read = await request.get(`/v1/responses/${id}`, { headers: { Authorization: `Bearer ${KEY}` } })
    return ((await read.json()) as { status: string }).status
  }).toBe('completed')
  return id
}

test('keeps the admin token in memory alone', async ({ page }) => {
  watch(page)
  await page.goto('/console/usage')
  await isSound(page)
  await page.getByLabel('Admin token').fill('wrong')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('alert')).toContainText('does not accept this token')
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { name: 'Usage', exact: true })).toBeVisible()
  const kept = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie,
    location.href, history.state, (await indexedDB.databases()).map(one => one.name)]))
  expect(kept).not.toContain(ADMIN_TOKEN)
  expect(kept).not.toContain('wrong')
  await page.reload()
  await expect(page.getByLabel('Admin token')).toBeVisible()
})

test('asks the admin API and nothing else', async ({ page, baseURL }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await openConsole(page)
  for (const place of ['Tenants', 'Usage', 'Responses', 'Overview']) {
    await page.getByRole('navigation').getByText(place).click()
    await expect(page.getByRole('heading', { level: 1, name: place })).toBeVisible()
  }
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Responses' })).toBeVisible()
  const root = new URL(baseURL!).origin
  expect(asked.filter(url => !new RegExp(`^${root}/(console|assets/|admin/)`).test(url))).toEqual([])
  expect(asked.filter(url => url.includes(ADMIN_TOKEN))).toEqual([])
})

test('shows workers with slots, queues by band and refused requests', async ({ page, request }) => {
  await request.get('/v1/models', { headers: { Authorization: 'Bearer wrong' } })
  await openConsole(page)
  const workers = page.getByRole('region', { name: 'Workers' })
  await expect(workers.getByRole('row').filter({ hasText: 'Ready' }).first()).toContainText(/\d+ of \d+ busy/)
  await expect(page.getByRole('region', { name: 'Models' })).toContainText('1 of 1')
  await expect(page.getByRole('region', { name: 'Queues' }).getByRole('listitem')).toHaveText([/^high/, /^normal/, /^low/])
  const refused = page.getByRole('region', { name: 'Refused requests' })
  await expect(refused.getByRole('row').filter({ hasText: '401' }).getByRole('cell').last()).toHaveText(/[1-9]/)
  await expect(refused).toContainText('Too many requests wait (503)')
  await isSound(page)
})

test('makes a tenant and a key that is shown once, limits and revokes it', async ({ page, request }) => {
  const tenant = name()
  await openConsole(page, '/console/tenants')
  await page.getByRole('button', { name: 'New tenant' }).click()
  await page.getByLabel('Name').fill('not a name!')
  await page.getByRole('button', { name: 'Make the tenant' }).click()
  await expect(page.getByRole('alert')).toContainText("'name'")
  await page.getByLabel('Name').fill(tenant)
  await page.getByLabel('Requests a minute').fill('50')
  await isSound(page)
  await page.getByRole('button', { name: 'Make the tenant' }).click()
  await expect(page.getByRole('heading', { level: 1, name: tenant })).toBeVisible()

  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('first')
  await page.getByRole('combobox', { name: 'Project' }).fill('checkout')
  await page.getByLabel('Ends after days').fill('30')
  await isSound(page)
  await page.getByRole('button', { name: 'Make the key' }).click()
  const secret = await page.locator('.secret code').innerText()
  await isSound(page)
  await page.getByRole('button', { name: 'I have it' }).click()
  await expect(page.locator('body')).not.toContainText(secret)
  const models = () => request.get('/v1/models', { headers: { Authorization: `Bearer ${secret}` } })
  expect((await models()).status()).toBe(200)

  const key = page.getByRole('group', { name: 'Keys of checkout' }).getByRole('row').filter({ hasText: 'first' })
  await expect(key).toContainText('until 20')
  await key.getByRole('button', { name: 'Change the limits' }).click()
  await page.getByRole('dialog').getByLabel('Tokens a day').fill('1000')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(key).toContainText('1,000 tokens a day')
  await isSound(page)
  await page.getByRole('region', { name: 'Limits' }).getByLabel('Requests a minute').fill('')
  await page.getByRole('region', { name: 'Limits' }).getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => {
    const list = (await (await request.get('/admin/tenants?limit=100', AS_ADMIN)).json()) as
      { data: { name: string; requests_per_minute: number | null }[] }
    return list.data.find(one => one.name === tenant)?.requests_per_minute
  }).toBeNull()

  await key.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await expect(key).toContainText('revoked')
  await expect.poll(async () => (await models()).status()).toBe(401)
  await page.getByRole('button', { name: 'Delete the tenant' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the tenant' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tenants' })).toBeVisible()
  await expect(page.getByRole('link', { name: tenant })).toHaveCount(0)
})

test('plots the usage of days', async ({ page, request }) => {
  await answered(request, 'say: Counted.')
  await openConsole(page, '/console/usage')
  await expect(page.getByRole('img', { name: /^Requests from .* [1-9][\d,]* in all$/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Figure' }).selectOption('Output tokens')
  await page.getByRole('combobox', { name: 'Tenant' }).selectOption('local')
  await expect(page.getByRole('group', { name: 'Usage' }).getByRole('row').nth(1)).toContainText('local')
  await isSound(page)
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(page.getByRole('alert')).toContainText("'to'")
})

test('shows what happened to a response and plays its stream again', async ({ page, request }) => {
  const id = await answered(request, 'think: First I look. Then I say it.\nsay: <b>Played</b> again.')
  await page.route(`**/admin/responses/${id}`, route => route.fulfill({ json: { ...STORY, id } }))
  await openConsole(page, `/console/responses/${id}`)
  await expect(page.getByRole('group', { name: 'Attempts' }).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('group', { name: 'Hops' })).toContainText('first text')
  await expect(page.getByRole('region', { name: 'What it took' })).toContainText('1,024')
  await isSound(page)
  await page.getByLabel('API key').fill('cp-wrong')
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByRole('alert')).toContainText('does not accept this key')
  await page.getByLabel('API key').fill(KEY)
  await page.getByRole('button', { name: 'Replay' }).click()
  const replayed = page.getByRole('group', { name: 'Replayed stream' })
  await expect(replayed).toHaveAttribute('data-state', 'running')
  await expect(replayed).toHaveAttribute('data-state', 'completed')
  await expect(replayed).toContainText('<b>Played</b> again.')
  await expect(replayed.locator('b')).toHaveCount(0)
  await isSound(page)
})

test('says why a stream cannot be played again', async ({ page }) => {
  const why = 'the frames of a response live 60 minutes'
  await page.route('**/admin/responses/*', route => route.fulfill({
    json: {
      id: 'resp_old', object: 'response.story', source: 'ledger', tenant: 'local', key: 'k', model: 'm', status: 'completed',
      ended_at_ms: STORY.ended_at_ms, tokens: STORY.tokens, warnings: ['tool_result_unused'],
      replay: { possible: false, until: 1, why_not: why },
    },
  }))
  await openConsole(page, '/console/responses')
  await page.getByLabel('Response id').fill('resp_old')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('button', { name: 'Replay' })).toBeDisabled()
  await expect(page.getByRole('region', { name: 'Replay' })).toContainText(why)
  await isSound(page)
})

test('is linked from each answer of the chat page', async ({ page, context }) => {
  await open(page)
  const turn = await ask(page, 'say: Linked.')
  await complete(turn)
  const opened = context.waitForEvent('page')
  await turn.getByRole('link', { name: 'What happened' }).click()
  const other = await opened
  await expect(other).toHaveURL(/\/console\/responses\/resp_\w+$/)
  await expect(other.getByLabel('Admin token')).toBeVisible()
  expect(await faults(page)).toEqual([])
})
