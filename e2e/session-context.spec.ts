import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible'
import { expectQuickNews, expectQuickRedraws } from './redraw-times'
import { nextCall, test } from './session-store'

const scrubber = (page: Page) => page.getByRole('slider', { name: 'Call', exact: true })
const place = (page: Page) => page.getByTestId('call-place')
const placeOf = (call: number, of: number) => `call ${call}\u202f/\u202f${of}`
/** The digits of a cell, without the words beside them for readers who do not see the marks. */
const digits = (text: string) => (text.split('≈')[0] ?? '').replace(/\D/g, '')
const composition = (page: Page) => page.getByRole('table', { name: /^Composition of call/ })

test('layout, title and page of a session read it once: what two of them show travels once', async ({
  request,
  world,
}) => {
  const answer = await (await request.get(await world.page('steady'), { headers: { RSC: '1' } })).text()
  expect(answer.match(/"worksFor":/g)).toHaveLength(1)
})

test.describe('X4 scrubber', () => {
  test('is moved by keys, and the address holds the call', async ({ page, world }) => {
    await page.goto(await world.page('steady'))
    await expect(place(page)).toHaveText('call 60\u202f/\u202f60')
    await scrubber(page).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(place(page)).toHaveText('call 59\u202f/\u202f60')
    await page.keyboard.press('Shift+ArrowLeft')
    await expect(place(page)).toHaveText('call 49\u202f/\u202f60')
    await expect(scrubber(page)).toHaveAttribute('aria-valuenow', '49')
    await expect(scrubber(page)).toHaveAttribute(
      'aria-valuetext',
      /call 49 of 60, 69\u202f000 tokens, measured/,
    )
    await page.keyboard.press('Home')
    await expect(place(page)).toHaveText('call 1\u202f/\u202f60')
    await expect(page).toHaveURL(/\?call=1$/)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await expect(page).toHaveURL(/\?call=59$/)
    await page.reload()
    await expect(place(page)).toHaveText('call 59\u202f/\u202f60')
    await expect(composition(page)).toContainText('79\u202f000')
    // Without the focus on anything, once the page answers.
    await expect(async () => {
      await page.keyboard.press('ArrowLeft')
      await expect(place(page)).toHaveText(/^call 5[0-8]\u202f/, { timeout: 1_000 })
    }).toPass()
    const field = page.getByRole('textbox', { name: 'Go to call' })
    await field.fill('12')
    await field.press('Enter')
    await expect(place(page)).toHaveText('call 12\u202f/\u202f60')
  })

  test('moves the cursor on the chart along, by pointer too', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=1`)
    const cursor = page.getByTestId('frames-cursor')
    await expect(cursor).toBeVisible()
    const before = await cursor.boundingBox()
    const track = await scrubber(page).boundingBox()
    if (!before || !track) throw new Error('nothing to drag')
    await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2)
    await expect(place(page)).toHaveText(/call 3[01]\u202f/)
    expect((await cursor.boundingBox())?.x).toBeGreaterThan(before.x + track.width / 3)
  })

  test('paints a step within 50 ms', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=30`)
    await scrubber(page).focus()
    await expect(composition(page)).toContainText('130\u202f000')
    // Back and forth, so that every round ends at the call where it began.
    const steps = [...Array(20).fill('ArrowRight'), ...Array(20).fill('ArrowLeft')]
    await expectQuickRedraws('a step of the scrubber', async () => {
      const times = await page.evaluate(async (keys: readonly string[]) => {
        const slider = document.querySelector<HTMLElement>('[role=slider][aria-label=Call]')
        const took: number[] = []
        for (const key of keys) {
          const start = performance.now()
          slider?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
          took.push(performance.now() - start)
        }
        return took
      }, steps)
      await expect(composition(page)).toContainText('130\u202f000')
      return times
    })
  })

  test('pins a compaction with its sizes', async ({ page, world }) => {
    await page.goto(await world.page('steady'))
    await expect(page.locator('svg[data-export] text', { hasText: '140k→61k' })).toBeVisible()
  })
})

test.describe('X3 window over calls', () => {
  test('says the same as chart and as table', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=40`)
    await expect(page.locator('[data-line=compact] text')).toHaveText(/compact 184k/)
    const chart = composition(page)
    await expect(chart).toContainText('140\u202f000')
    await page
      .getByRole('group', { name: /Window over calls: show as/ })
      .getByRole('button', { name: 'table' })
      .click()
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Choose call 40' }) })
    await expect(row).toContainText('140\u202f000')
    const inTable = await row.getByRole('cell').allInnerTexts()
    const inComposition = await chart.locator('tbody tr[data-category] td:nth-child(2)').allInnerTexts()
    // The table is in stacking order, the composition from the top of the stack down.
    const held = inTable
      .slice(2)
      .map(digits)
      .filter((text) => text !== '0')
    expect(inComposition.map(digits).reverse()).toEqual(held)
    await expect(page).toHaveURL(/view=table/)
  })

  test('adds up: categories to the total, entries to the category', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=40`)
    await expect(composition(page)).toContainText('140\u202f000')
    const tokens = await composition(page).locator('tbody tr[data-category] td:nth-child(2)').allInnerTexts()
    const sum = tokens.map((text) => Number(digits(text))).reduce((a, b) => a + b, 0)
    expect(sum).toBe(140_000)
    await page.getByRole('button', { name: 'Tool results', exact: true }).click()
    const held = await composition(page).locator('tr[data-category=tool-result] td:nth-child(2)').innerText()
    await expect(page.getByText(/39 parts · .* tokens of tool results/)).toContainText(
      `${held.replace(/\s*≈.*/s, '')}`,
    )
    await expect(page).toHaveURL(/category=tool-result/)
  })
})

test.describe('X5 what the model saw', () => {
  test('is sorted by tokens and age, and opens the source line', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=40`)
    const list = page.getByTestId('context-rows')
    const rows = list.locator('tbody tr[data-seq]')
    await expect(rows.first()).toContainText('Question 1')
    await list.getByRole('button', { name: 'Tokens' }).click()
    await expect(list.getByRole('columnheader', { name: 'Tokens' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    await expect(page).toHaveURL(/sort=tokens&dir=desc/)
    await list.getByRole('button', { name: 'Time' }).click()
    await rows
      .first()
      .getByRole('button', { name: /^Open line/ })
      .click()
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByTestId('source-place')).toHaveText(/steady\.jsonl:3$/)
    await expect(drawer).toContainText('Question 1: where is the barrel')
    await drawer.getByRole('button', { name: 'Show raw' }).click()
    await expect(drawer.getByTestId('raw-line')).toContainText('"role":"user"')
    await expect(page).toHaveURL(/entry=2/)
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/entry=/)
  })

  test('is walked through with j and k, and opened with Enter', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=40`)
    await expect(page.getByTestId('context-rows')).toContainText('Question 1')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})

test.describe('X15 live', () => {
  test('shows a call within a second, and counts those that a pinned page did not follow', async ({
    page,
    world,
  }) => {
    await page.goto(await world.page('live'))
    await expect(place(page)).toHaveText('call 1\u202f/\u202f1')
    await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
    let calls = 1
    const append = () => world.append('live', nextCall(calls, 5_000 + 1_000 * calls++))
    await expectQuickNews('a call of the session', async () => {
      const times: number[] = []
      for (let n = 0; n < 3; n++) {
        const at = Date.now()
        append()
        await page.waitForFunction(
          (text) => document.querySelector('[data-testid=call-place]')?.textContent === text,
          placeOf(calls, calls),
        )
        times.push(Date.now() - at)
      }
      return times
    })
    await expect(composition(page)).toContainText(`${4 + calls}\u202f000`)
    await scrubber(page).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(place(page)).toHaveText(placeOf(calls - 1, calls))
    append()
    await expect(page.getByTestId('new-calls')).toHaveText(/1 new call/)
    await expect(place(page)).toHaveText(placeOf(calls - 2, calls))
    await page.getByTestId('new-calls').click()
    await expect(place(page)).toHaveText(placeOf(calls, calls))
    await expect(composition(page)).toContainText(`${4 + calls}\u202f000`)
  })
})

test.describe('X18 Context tab', () => {
  test('has nothing serious for axe, in both themes', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=45`)
    await expect(composition(page)).toContainText('65\u202f000')
    await expect(page.getByTestId('context-rows')).toContainText('Question')
    await expectAccessibleInBothThemes(page)
  })

  test('fits 360 px', async ({ page, world }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${await world.page('steady')}?call=45`)
    await expect(composition(page)).toContainText('65\u202f000')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })

  test('says so when there is no call yet, and when there is no such session', async ({ page, world }) => {
    await page.goto(await world.page('quiet'))
    await expect(page.getByText('No model call yet')).toBeVisible()
    const missing = await page.goto(`${world.url}/sessions/0123456789abcdef`)
    await expect(page.getByText('There is no such session')).toBeVisible()
    expect(missing?.status()).toBe(404)
  })
})
