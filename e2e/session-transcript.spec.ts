import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes } from './accessible'
import { PWNED, test } from './session-store'

const entry = (page: Page, line: number) => page.getByRole('article', { name: new RegExp(`, line ${line}$`) })

test.describe('X20 a hostile transcript does no harm', () => {
  test('is shown as text on both tabs, hidden characters by their names', async ({ page, world }) => {
    const problems: string[] = []
    page.on('dialog', (dialog) => {
      problems.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => problems.push(error.message))
    const address = await world.page('hostile')
    await page.goto(`${address}/transcript`)
    await expect(entry(page, 3)).toContainText('<script>')
    await expect(entry(page, 3)).toContainText('ESC')
    await expect(entry(page, 3)).toContainText('RLO')
    await page.goto(address)
    await expect(page.getByTestId('context-rows')).toContainText('<script>')
    expect(await page.evaluate((name) => name in window, PWNED)).toBe(false)
    expect(
      await page.locator('main script, main img, main iframe, main a[href^="javascript:"]').count(),
    ).toBe(0)
    expect(problems).toEqual([])
  })

  test('a line of 10 MB is cut, and read on piece by piece', async ({ page, world }) => {
    await page.goto(`${await world.page('hostile')}/transcript?entry=4`)
    const huge = entry(page, 5)
    await expect(huge).toContainText('only its beginning is shown')
    expect((await huge.innerText()).length).toBeLessThan(2_000)
    await huge.getByRole('button', { name: 'Raw' }).click()
    const raw = huge.getByTestId('raw-line')
    await expect(raw).toContainText('BEGIN xxx')
    const before = (await raw.innerText()).length
    await raw.getByRole('button', { name: /^Show 64/ }).click()
    await expect.poll(async () => (await raw.innerText()).length).toBeGreaterThan(before + 60_000)
  })

  test('pictures stay placeholders until asked for, and never run', async ({ page, world }) => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const address = await world.page('hostile')
    await page.goto(`${address}/transcript?entry=9`)
    await expect(page.getByText('Image, image/png, 8\u202fB')).toBeVisible()
    expect(requests.filter((url) => url.includes('/image'))).toEqual([])
    const id = address.split('/').at(-1)
    const answer = await page.request.get(`${world.url}/api/sessions/${id}/entries/9/image?block=2`)
    expect(answer.headers()['content-type']).toBe('application/octet-stream')
    expect(answer.headers()['content-disposition']).toBe('attachment')
  })
})

test.describe('X5 transcript', () => {
  test('shows unreadable lines and unknown types with line and reason', async ({ page, world }) => {
    await page.goto(`${await world.page('hostile')}/transcript?entry=8`)
    await expect(entry(page, 9)).toContainText(/Line 9 cannot be read: .+/)
    await expect(entry(page, 8)).toContainText('Unknown entry type')
    await expect(entry(page, 8)).toContainText('novel_type')
  })

  test('tells the active branch from another', async ({ page, world }) => {
    await page.goto(`${await world.page('hostile')}/transcript?entry=5`)
    await expect(entry(page, 6)).toContainText('other branch')
    await expect(entry(page, 7)).toContainText('a branch begins here')
    await expect(entry(page, 7)).not.toContainText('other branch')
  })

  test('finds words, from one hit to the next', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}/transcript`)
    await expect(entry(page, 3)).toContainText('Question 1')
    await page.keyboard.press('/')
    await page.keyboard.type('Question 51')
    await expect(page.getByRole('search').getByRole('status')).toHaveText(/1 entry/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article').filter({ hasText: 'Question 51' })).toBeVisible()
    await expect(page).toHaveURL(/entry=\d+&find=Question\+51/)
  })

  test('a link to an entry finds it in the middle of the file', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}/transcript?entry=100`)
    await expect(entry(page, 101)).toBeInViewport()
    await expect(entry(page, 101)).toHaveAttribute('aria-current', 'true')
    const turns = page.getByRole('navigation', { name: 'Turns' })
    await expect(turns.locator('[aria-current]')).toBeInViewport()
  })

  test('leads from an answer to its call, and from a turn to its entry', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}/transcript`)
    await page
      .getByRole('navigation', { name: 'Turns' })
      .getByRole('button', { name: /Question 26/ })
      .click()
    const answer = page.getByRole('article').filter({ hasText: 'Answer 26' })
    await answer.getByRole('link', { name: 'call 26' }).click()
    await expect(page.getByTestId('call-place')).toHaveText('call 26\u202f/\u202f60')
  })

  test('goes to the neighbour sessions with [ and ]', async ({ page, world }) => {
    const address = await world.page('steady')
    await page.goto(`${address}/transcript`)
    await expect(entry(page, 3)).toContainText('Question 1')
    const older = page.getByRole('link', { name: 'Older session' })
    const newer = page.getByRole('link', { name: 'Newer session' })
    const key = (await older.count()) > 0 ? ']' : '['
    const target = await (key === ']' ? older : newer).getAttribute('href')
    await page.keyboard.press(key)
    await expect(page).toHaveURL(new RegExp(`${target}/transcript$`))
  })
})

test.describe('X18 Transcript tab', () => {
  test('has nothing serious for axe, in both themes', async ({ page, world }) => {
    await page.goto(`${await world.page('hostile')}/transcript`)
    await expect(entry(page, 3)).toBeVisible()
    await expectAccessibleInBothThemes(page)
  })

  test('fits 360 px', async ({ page, world }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${await world.page('hostile')}/transcript`)
    await expect(entry(page, 1)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})
