import { expect, type Page } from '@playwright/test'
import { Clicks } from './clicks'
import { test as coldTest } from './cold-world'
import { test as compactTest } from './compact-store'
import { test as cutTest } from './cut-store'
import { test as damagedTest } from './damaged-store'
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

    // Beside a switch, which is a button itself, and with a sentence on hover.
    await page.goto('/policies')
    const slide = page.getByRole('link', { name: 'What slide means' })
    await expect(slide).toHaveAttribute(
      'title',
      /^From this line on, completed work is replaced by its summary/,
    )
    await slide.click()
    await expect(page).toHaveURL(/\/help#slide$/)
    await expect(page.locator('#slide')).toBeInViewport()
  })
})

cutTest('2 why a session was compacted again and again', async ({ page, world }) => {
  const clicks = new Clicks()
  await page.goto(world.url)
  // The answer is on the first page, with what to change; the rest is the evidence.
  const worst = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first()
  await expect(worst).toContainText(/The provider of .* cut \d+ prompts to 4\u202f096 tokens/)
  await clicks.click(session(page, 'Forgetful pilot'))
  await clicks.click(tab(page, /^Compactions/))
  const causes = card(page, 'What is wrong with them')
  await expect(causes).toContainText(/cut \d+ prompts to 4\u202f096 tokens/)
  await expect(causes).toContainText('num_ctx')
  // Equal ones are folded.
  const rows = page.getByRole('table', { name: 'Compactions, newest first' }).locator('tbody > tr')
  expect(await rows.count()).toBeLessThanOrEqual(5)
  await clicks.click(causes.getByRole('link', { name: /^call / }).first())
  await expect(page).toHaveURL(/\?call=\d+/)
  await expect(page.getByTestId('call-findings')).toContainText('provider')
  expect(clicks.count).toBeLessThanOrEqual(MOST_CLICKS)
})

/** Each of the four changes things, so each has its own store; what takes it back counts apart. */
compactTest('8 a session is compacted, and that is taken back', async ({ page, world }) => {
  const before = world.text()
  const own = new URL(await world.session()).pathname
  let clicks = new Clicks()
  await page.goto(world.url)
  await clicks.click(page.locator(`a[href^="${own}"]`).first())
  await clicks.click(tab(page, /^Compact$/))
  await clicks.click(page.getByRole('button', { name: 'Run compaction…' }))
  const dialog = page.getByRole('dialog', { name: 'Compact this session?' })
  await clicks.click(dialog.getByRole('button', { name: 'Compact', exact: true }))
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toContainText('In the window now')
  expect(world.text()).not.toBe(before)
  expect(clicks.count).toBeLessThanOrEqual(MOST_CLICKS)

  clicks = new Clicks()
  await clicks.click(result.getByRole('button', { name: /^Undo/ }))
  const undo = page.getByRole('dialog', { name: 'Take this write back?' })
  await clicks.click(undo.getByRole('button', { name: 'Take it back' }))
  await expect(undo.getByRole('status')).toContainText('Taken back')
  expect(world.text()).toBe(before)
  expect(clicks.count).toBeLessThanOrEqual(MOST_CLICKS)
})

damagedTest('8 a transcript is repaired', async ({ page, world }) => {
  const before = world.bytes()
  const own = new URL(await world.page()).pathname.replace(/\/integrity$/, '')
  const clicks = new Clicks()
  await page.goto(world.url)
  await clicks.click(page.locator(`a[href^="${own}"]`).first())
  await clicks.click(tab(page, /^Integrity/))
  await clicks.click(page.getByRole('button', { name: 'Repair…' }))
  const dialog = page.getByRole('dialog', { name: 'Repair this transcript?' })
  await clicks.click(dialog.getByRole('button', { name: 'Repair', exact: true }))
  await expect(page.getByText('Repaired, and read again to be sure.')).toBeVisible()
  expect(world.bytes().equals(before)).toBe(false)
  expect(clicks.count).toBeLessThanOrEqual(MOST_CLICKS)
})

coldTest('8 a dropped chunk is brought back', async ({ page, world }) => {
  const clicks = new Clicks()
  await page.goto(world.url)
  await clicks.click(page.getByRole('link', { name: 'Cold storage', exact: true }))
  const list = page.getByRole('list', { name: 'Dropped chunks' })
  await clicks.click(list.getByRole('button', { name: /harbour master/ }).first())
  const sheet = page.getByRole('dialog', { name: 'Dropped chunk' })
  await clicks.click(sheet.getByRole('button', { name: 'Bring it back…' }))
  await clicks.click(sheet.getByRole('button', { name: 'Bring it back', exact: true }))
  await expect(sheet.getByRole('status')).toContainText('where it was')
  expect(world.text()).toContain('The harbour master keeps the tide table')
  expect(clicks.count).toBeLessThanOrEqual(MOST_CLICKS)
})
