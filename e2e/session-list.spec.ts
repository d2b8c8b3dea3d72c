import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { FLEET_SIZE, shipName, test } from './fleet-store'
import { expectQuickNews } from './redraw-times'

const row = (page: Page, ship: number) => page.getByRole('row', { name: new RegExp(shipName(ship)) })
const status = (page: Page) => page.getByRole('search').getByRole('status')
const head = (page: Page, name: string) => page.getByRole('columnheader', { name }).getByRole('button')

test.describe('X2 list of sessions', () => {
  test('shows the newest first, and reaches every one by scrolling', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions`)
    await expect(status(page)).toHaveText(`${FLEET_SIZE} sessions`)
    await expect(page.getByRole('table', { name: 'Sessions' })).toHaveAttribute(
      'aria-rowcount',
      String(FLEET_SIZE + 1),
    )
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(page.locator(`tr[aria-rowindex="${FLEET_SIZE + 1}"]`)).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
    await expect(page.locator(`tr[aria-rowindex="${FLEET_SIZE / 2}"]`)).toContainText('Ship')
  })

  test('is ordered by a click, and the address holds the order', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions`)
    await head(page, 'Cost').click()
    await expect(page).toHaveURL(/\?sort=cost$/)
    await expect(page.locator('tr[aria-rowindex="2"]')).toContainText(shipName(FLEET_SIZE))
    await expect(page.getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'descending')
    await head(page, 'Cost').click()
    await expect(page).toHaveURL(/\?sort=cost&dir=asc$/)
    await page.reload()
    await expect(page.locator('tr[aria-rowindex="2"]')).toContainText(shipName(1))
    await expect(page.locator('tr[aria-rowindex="2"]')).toContainText('$0.01')
  })

  test('filters by model and finds by content, from the address alone', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions`)
    await page.getByRole('combobox', { name: 'Model' }).selectOption('gpt-5.1')
    await expect(status(page)).toHaveText(`${FLEET_SIZE / 2} sessions`)
    await page.getByRole('combobox', { name: 'Model' }).selectOption('')
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('astrolabe')
    await expect(status(page)).toHaveText('6 sessions')
    await expect(page).toHaveURL(/\?q=astrolabe$/)
    await expect(page.locator('mark').first()).toHaveText('astrolabe')
    // What was found is on a separate line, as wide as the table.
    const [found, table] = await Promise.all([
      page.getByTestId('found').first().boundingBox(),
      page.getByRole('table', { name: 'Sessions' }).boundingBox(),
    ])
    expect(found?.width ?? 0).toBeGreaterThan((table?.width ?? 0) * 0.9)
    await page.reload()
    await expect(status(page)).toHaveText('6 sessions')
    // X21: what is chosen is what is saved.
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save as CSV' }).click()
    const saved = readFileSync(await (await saving).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(saved).toHaveLength(7)
    expect(saved[0]).toMatch(/^id,session,runtime,/)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(status(page)).toHaveText(`${FLEET_SIZE} sessions`)
    await expect(page).toHaveURL(/\/sessions$/)
  })

  test('keeps a filter that is chosen while the search field still waits for a pause', async ({
    page,
    world,
  }) => {
    await page.goto(`${world.url}/sessions?model=gpt-5.1`)
    await expect(status(page)).toHaveText(`${FLEET_SIZE / 2} sessions`)
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('astrolabe')
    await page.getByRole('combobox', { name: 'Model' }).selectOption('')
    await expect(status(page)).toHaveText('6 sessions')
    await expect(page).toHaveURL(/\?q=astrolabe$/)
  })

  test('says so when nothing fits', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions?q=nosuchword`)
    await expect(page.getByText('No session matches the filters.')).toBeVisible()
  })

  test('transfers windows, not the whole list', async ({ page, world }) => {
    const sizes: number[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/api/sessions?')) sizes.push((await response.body()).length)
    })
    const answer = await page.goto(`${world.url}/sessions`)
    expect((await answer?.body())?.length).toBeLessThan(300_000)
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => sizes.length).toBeGreaterThan(0)
    for (const size of sizes) expect(size).toBeLessThan(100_000)
  })
})

test('X2 the list stays where the reader left it', async ({ page, world }) => {
  await page.goto(`${world.url}/sessions?sort=name`)
  await expect(page.getByText(/^live/).first()).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 5000))
  const link = page.getByRole('link', { name: shipName(140) })
  await expect(link).toBeInViewport()
  await link.click()
  await expect(page).toHaveURL(/\/sessions\/[0-9a-f]{16}/)
  await page.goBack()
  await expect(link).toBeInViewport()
  await page.reload()
  await expect(link).toBeInViewport()
})

test.describe('X19 keys of the list', () => {
  test('j and k move, Enter opens, / searches', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions?sort=name`)
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(page.getByRole('link', { name: shipName(2) })).toBeFocused()
    await page.keyboard.press('k')
    await expect(page.getByRole('link', { name: shipName(1) })).toBeFocused()
    for (let step = 0; step < 40; step++) await page.keyboard.press('j')
    await expect(page.getByRole('link', { name: shipName(41) })).toBeFocused()
    await expect(page.getByRole('link', { name: shipName(41) })).toBeInViewport()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search sessions' })).toBeFocused()
    await page.keyboard.type('Ship 004')
    await expect(status(page)).toHaveText('1 session')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/sessions\/[0-9a-f]{16}/)
  })
})

test.describe('X15 live list', () => {
  test('shows an appended call within a second, without a reload', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions?q=Ship+120`)
    await expect(row(page, 120)).toContainText('60k')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    let thousands = 90
    await expectQuickNews('a call on the list', async () => {
      const times: number[] = []
      for (let n = 0; n < 3; n++) {
        const at = Date.now()
        world.append(120, ++thousands * 1_000)
        await page.waitForFunction(
          (fill) => document.querySelector('main table')?.textContent?.includes(fill),
          `${thousands}k`,
        )
        times.push(Date.now() - at)
      }
      return times
    })
  })

  test('flags a session whose file has gone, and keeps it', async ({ page, world }) => {
    await page.goto(`${world.url}/sessions?q=Ship+121`)
    await expect(row(page, 121)).toBeVisible()
    world.remove(121)
    await expect(row(page, 121).getByText('gone')).toBeVisible()
  })

  test('names an unreadable line with file, number and reason, and leads to it', async ({ page, world }) => {
    world.tear(122)
    await page.goto(`${world.url}/stores`)
    const line = page.getByRole('row', { name: /ship-122\.jsonl/ })
    await expect(line).toContainText('JSON')
    await line.getByRole('link', { name: '5' }).click()
    await expect(page).toHaveURL(/\/transcript\?entry=4/)
  })
})

test('X18 the list is usable at 360 px', async ({ page, world }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto(`${world.url}/sessions?sort=name`)
  await expect(page.getByRole('link', { name: shipName(1) })).toBeVisible()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(360)
  await page.getByRole('combobox', { name: 'Order' }).selectOption('cost')
  await expect(page).toHaveURL(/\?sort=cost$/)
  await expect(page.getByRole('link', { name: shipName(FLEET_SIZE) })).toBeVisible()
})
