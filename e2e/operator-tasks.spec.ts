import { expect, type Page } from '@playwright/test'
import { Clicks } from './clicks'
import { test } from './demo'

/** No answer is further away. */
const MOST_CLICKS = 4

const session = (page: Page, name: string) => page.getByRole('link', { name }).first()
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Parts of the session' }).getByRole('link', { name })
const card = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { name: title }) })

/** What operators asked of real stores: each begins on the Overview, and counts its clicks. */
test.describe('ten tasks of an operator', () => {
  let clicks: Clicks
  test.beforeEach(async ({ page }) => {
    clicks = new Clicks()
    await page.goto('/')
    await expect(page.getByText(/^live/).first()).toBeVisible()
  })
  test.afterEach(() => expect(clicks.count).toBeLessThanOrEqual(MOST_CLICKS))

  test('1 which session is nearest to its line', async ({ page }) => {
    const nearest = card(page, 'Nearest to the line').getByRole('listitem').first()
    await expect(nearest).toContainText(/\d\s%/)
    expect(clicks.count).toBe(0)
  })

  test('2 what is wrong, and where', async ({ page }) => {
    const worst = page.getByRole('list', { name: 'Findings' }).getByRole('link').first()
    await expect(worst).toContainText(/\d/)
    await clicks.click(worst)
    const found = page.getByRole('list', { name: 'Findings' }).locator('> li').first()
    await clicks.click(found.getByRole('link', { name: /^(call|line) / }).first())
    await expect(page).toHaveURL(/\?(call|entry)=\d+/)
  })

  test('3 what fills the window at a call, and what a compaction lost', async ({ page }) => {
    await clicks.click(session(page, 'Berth plan'))
    await clicks.type(page.getByRole('textbox', { name: 'Go to call' }), '20', { enter: true })
    await expect(page.getByTestId('call-place')).toHaveText(/^call 20\u202f/)
    await expect(page.getByRole('heading', { name: /Call 20/ })).toBeVisible()

    clicks = new Clicks()
    await clicks.click(tab(page, /^Compactions/))
    const last = page.getByRole('table', { name: 'Compactions, newest first' }).locator('tbody > tr').first()
    await clicks.click(last.getByRole('button', { name: /^Open summary and losses/ }))
    await expect(page.getByTestId('losses')).toContainText(/of \d+ names/)
  })

  test('4 what each preset would leave', async ({ page }) => {
    await clicks.click(session(page, 'Berth plan'))
    await clicks.click(tab(page, /^Compact$/))
    const table = page.getByRole('region', { name: 'Policies side by side' })
    await expect(table.getByRole('row', { name: /vs7/ })).toContainText(/\d/)
    await clicks.click(table.getByRole('button', { name: 'Try preset vs7' }))
    await expect(page.getByTestId('plan')).toBeVisible()
  })

  test('5 what a share of the history does over all sessions', async ({ page }) => {
    await clicks.click(page.getByRole('link', { name: 'Policies', exact: true }))
    await clicks.type(page.getByLabel('History, per cent', { exact: true }), '40', { enter: true })
    await expect(page.locator('[data-effect="history"]')).toContainText(/(none|\d+) of \d+ sessions?/)
  })

  test('6 where something was said', async ({ page }) => {
    await clicks.click(page.getByRole('link', { name: 'Sessions', exact: true }))
    await clicks.type(page.getByRole('searchbox', { name: 'Search sessions' }), 'berth')
    await expect(page.locator('mark').first()).toBeVisible()
    const row = page
      .getByRole('row')
      .filter({ has: page.locator('mark') })
      .first()
    await clicks.click(row.getByRole('link').first())
    await expect(page).toHaveURL(/\/transcript\?entry=\d+/)
  })

  test('7 which tools are heaviest', async ({ page }) => {
    await expect(
      card(page, 'Heaviest tools').getByRole('img', { name: /^Tokens that were sent of each tool/ }),
    ).toBeVisible()
    expect(clicks.count).toBe(0)
  })

  test('8 what a compaction would do, before it is run', async ({ page }) => {
    await clicks.click(session(page, 'Berth plan'))
    await clicks.click(tab(page, /^Compact$/))
    await expect(page.getByTestId('plan')).toContainText('Summarised')
    await clicks.click(page.getByRole('button', { name: 'Run compaction…' }))
    await expect(page.getByRole('dialog', { name: 'Compact this session?' })).toContainText('backups')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  test('9 what each model cost in ninety days', async ({ page }) => {
    await clicks.click(page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '90 d' }))
    await expect(page).toHaveURL(/days=90/)
    await expect(card(page, 'Tokens and cost by model')).toContainText('$')
  })

  test('10 what a word means', async ({ page }) => {
    await clicks.click(session(page, 'Berth plan'))
    await clicks.click(page.getByRole('link', { name: 'Turns', exact: true }))
    await expect(page).toHaveURL(/\/help#turn$/)
    await expect(page.locator('#turn')).toBeInViewport()
  })
})
