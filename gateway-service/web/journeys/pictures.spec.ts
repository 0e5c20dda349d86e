import { test } from '@playwright/test'
import { ask, complete, open, openConsole, STORY } from './suite'

const SCRIPT = `How does a rainbow form? Show the angles in a table.
think: The user asks how a rainbow forms. First I recall how light bends in water. Then I compare the colours. I check the angles once more.
say: A **rainbow** forms when sunlight meets drops of water in the air.

1. Light bends as it enters a drop.
2. It is reflected at the back of the drop.
3. It bends again on its way out, and each colour leaves at an angle of its own.

| colour | angle |
|---|---:|
| red | 42.4° |
| violet | 40.6° |

> The bow is a circle; the ground hides half of it.`

test('takes the pictures of the documentation', async ({ page }, about) => {
  test.skip(!process.env.PICTURES, 'PICTURES=1 takes them')
  await open(page)
  const turn = await ask(page, SCRIPT)
  await complete(turn)
  await turn.locator('summary').first().click()
  await page.getByRole('region', { name: 'Chat' }).evaluate(element => { element.scrollTop = element.scrollHeight })
  await page.mouse.move(0, 0)
  await page.waitForFunction(() => document.getAnimations().every(one => one.playState !== 'running'))
  await page.screenshot({ path: `../../docs/page-${about.project.name}.png` })
})

test('takes the pictures of the console', async ({ page }, about) => {
  test.skip(!process.env.PICTURES, 'PICTURES=1 takes them')
  const desktop = about.project.name === 'desktop'
  await page.route('**/admin/responses/*', route => route.fulfill({ json: STORY }))
  await openConsole(page, desktop ? '/console' : '/console/responses/resp_1')
  await page.getByText(desktop ? 'Refused requests' : 'taken by a worker').first().waitFor()
  await page.screenshot({ path: `../../docs/console-${about.project.name}.png` })
})
