import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes, showTheme } from './accessible'
import { sessionPage } from './ask'
import { test as demo } from './demo'
import { holdScripts } from './hold-scripts'
import { test } from './lab-store'

/** Replays are heavy, and these tests share the machine. Milliseconds. */
const RUN_TIMEOUT = 60_000

/** Opens the lab over one of the stores. */
async function openLab(page: Page, url: string, store: 'few' | 'many', sessions: number): Promise<void> {
  await page.goto(`${url}/lab`)
  await page.getByRole('combobox', { name: 'Store' }).selectOption({ label: `Transcripts · ~/${store}` })
  await expect(page.getByText(`${sessions} sessions will be replayed.`)).toBeVisible()
}

async function replay(page: Page, policies: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'None', exact: true }).click()
  for (const label of policies) await page.getByRole('checkbox', { name: label, exact: true }).check()
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect(page).toHaveURL(/experiment=/)
  await expect(page.getByText('What this rests on')).toBeVisible({ timeout: RUN_TIMEOUT })
}

async function fits(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
}

test.describe('the lab', () => {
  test('replays policies, shows what each loses with both texts, and goes by what is no need', async ({
    page,
    world,
  }) => {
    await openLab(page, world.url, 'few', 4)
    await replay(page, ['In force', 'Newest 5 turns', 'As it was', 'Oracle: lowest cost'])
    await expect(page.getByRole('main')).toContainText('assuming the agent had done the same')
    await expect(page.getByText(/One session has|the largest session has/).first()).toBeVisible()
    await expect(page.getByRole('img', { name: /^Policies by saving/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Policies' }).getByRole('row')).toHaveCount(5)
    await expect(page.getByRole('table', { name: 'Replayed sessions' })).toContainText('range')

    const needs = page.getByRole('list', { name: 'Unmet needs' }).locator('> li')
    const first = needs.first()
    await expect(first).toContainText('src/harbour/berth-')
    await first.getByRole('button', { name: 'Show the evidence' }).click()
    await expect(first.locator('mark')).toHaveText([/berth-/, /berth-/])
    const text = await first.locator('code').textContent()
    await first.getByRole('button', { name: 'Not a need' }).click()
    await expect(first.getByRole('button', { name: 'It is a need' })).toBeVisible()

    // The mark outlives the page, and counts in the next run, which is asked for before the page has its scripts.
    const release = await holdScripts(page)
    await page.reload({ waitUntil: 'commit' })
    await expect(first.getByText('not a need', { exact: true })).toBeVisible()
    const count = await needs.count()
    await page.getByRole('button', { name: 'Run again' }).click()
    release()
    await expect(page.getByText('you said are none')).toBeVisible({ timeout: RUN_TIMEOUT })
    await expect(needs).toHaveCount(count - 1)
    expect(await needs.locator('code').allTextContents()).not.toContain(text)

    await expectAccessibleInBothThemes(page)
    await showTheme(page, 'light')
    await fits(page)
  })

  test('names, exports and deletes an experiment, whose address leads to it', async ({ page, world }) => {
    await openLab(page, world.url, 'few', 4)
    await expectAccessibleInBothThemes(page)
    const other = await page.context().newPage()
    await other.goto(page.url())
    const listed = other.getByRole('list', { name: 'Experiments' }).getByRole('listitem')
    await expect(other.getByText('Experiments', { exact: true })).toBeVisible()
    const before = await listed.count()
    await replay(page, ['As it was'])
    // Nothing was pressed in the page that shows the lab as well.
    await expect(listed).toHaveCount(before + 1)
    await other.close()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('What was')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'What was' })).toBeVisible()
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as JSON' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/^plimsoll-experiment-.*\.json$/)
    const saved = await (await page.request.get(file.url())).json()
    expect(saved).toMatchObject({ name: 'What was', result: { policies: [{ name: 'as-it-was' }] } })
    const address = page.url()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await expect(page).toHaveURL(/\/lab$/)
    await page.goto(address)
    await expect(page.getByText('This experiment is not there')).toBeVisible()
  })

  test('tunes, says what it could tell, and opens a pick as a draft that is not saved', async ({
    page,
    world,
  }) => {
    await openLab(page, world.url, 'few', 4)
    await page.getByRole('radio', { name: /Look for a better one/ }).check()
    await page.getByRole('button', { name: 'Tune' }).click()
    await expect(page.getByText('What the search found')).toBeVisible({ timeout: RUN_TIMEOUT })
    await expect(page.getByText(/too few sessions to tell a gain/)).toBeVisible()
    const picks = page.getByRole('list', { name: 'Picks' }).locator('> li')
    await expect(picks).toHaveCount(3)
    await picks.first().getByRole('link', { name: 'Open as a draft on Policies' }).click()
    await expect(page.getByText(/came with the link. Nothing is saved yet/)).toBeVisible()
  })

  test('a tuning is cancelled in the middle, says so, and goes on to its end', async ({ page, world }) => {
    await openLab(page, world.url, 'many', 40)
    await page.getByRole('radio', { name: /Look for a better one/ }).check()
    await page.getByRole('textbox', { name: 'Name' }).fill('In two parts')
    await page.getByRole('button', { name: 'Tune' }).click()
    const running = page.getByTestId('running')
    await expect(running).toContainText(/First points|third|The best|Changes/, { timeout: RUN_TIMEOUT })
    await running.getByRole('button', { name: /^Cancel/ }).click()
    await expect(running).toHaveCount(0)
    await expect(page.getByText('cancelled', { exact: true })).toBeVisible()
    await expect(page.getByText(/It goes on where it was/)).toBeVisible()
    await expect(page.getByText('What the search found')).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('cancelled', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect(page.getByText('What the search found')).toBeVisible({ timeout: RUN_TIMEOUT })
    await expect(page.getByText(/It learnt on \d+ sessions and was tested on \d+ sessions/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run again' })).toBeEnabled()
  })

  test('a pick that gains is offered as a remedy, whose change of the settings is shown first', async ({
    page,
    world,
  }) => {
    await page.goto(`${world.url}/lab?experiment=${world.tuned}`)
    const picks = page.getByRole('list', { name: 'Picks' }).locator('> li')
    await expect(picks).toHaveCount(2)
    await picks
      .first()
      .getByRole('button', { name: /^Apply as a remedy: .*openclaw/ })
      .click()
    const dialog = page.getByRole('dialog', { name: /^Safe pick/ })
    await expect(dialog).toContainText(/keepRecentTokens: 24000[\s\S]*keepRecentTokens: 8000/)
    await expect(dialog).toContainText('The safe pick of the tuning Tuning of today.')
    await expect(dialog).toContainText(/assuming the agent had done the same/i)
    await expect(dialog.getByRole('button', { name: 'Change the file' })).toBeEnabled()
    await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toHaveCount(0)
    expect(world.settings()).toBe(world.before)
  })

  test('a pick that costs more by replay is written only when it is asked for once more', async ({
    page,
    world,
  }) => {
    const { dear } = world
    await page.goto(`${world.url}/lab?experiment=${dear.tuned}`)
    await page
      .getByRole('list', { name: 'Picks' })
      .getByRole('button', { name: /^Apply as a remedy: .*dear/ })
      .last()
      .click()
    const dialog = page.getByRole('dialog')
    const change = dialog.getByRole('button', { name: 'Change the file', exact: true })
    await change.click()
    // The replay need not have ended by then: it is waited for.
    await expect(dialog.getByRole('alert')).toContainText(
      /This pick costs more[\s\S]*would have cost .* more than the settings in force\. Nothing was written\./,
      { timeout: RUN_TIMEOUT },
    )
    await expectAccessibleInBothThemes(page)
    expect(dear.settings()).toBe(dear.before)
    await expect(change).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Change the file all the same' }).click()
    await expect(dialog.getByText(/Written, with a backup/)).toBeVisible({ timeout: RUN_TIMEOUT })
    expect(dear.settings()).toBe(dear.before.replace('24000', '8000'))
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByText(/as it was before|byte for byte/)).toBeVisible()
    expect(dear.settings()).toBe(dear.before)
  })

  test('says beside a plan at a past call what was needed later of what it takes away', async ({
    page,
    world,
  }) => {
    const session = await sessionPage(world.url, ({ title }) => title.includes('plan of berth'), '?q=plan')
    await page.goto(`${session}/compact?call=14&policy=default&compaction.keepRecentTokens=50`)
    await page.getByRole('button', { name: 'Look', exact: true }).click()
    await expect(page.getByTestId('later-needs')).toContainText(/need/, { timeout: RUN_TIMEOUT })
  })
})

demo('the lab without any session says so, and where to look', async ({ page, empty }) => {
  await page.goto(`${empty.url}/lab`)
  await expect(page.getByText('There is no session to replay')).toBeVisible()
  await expectAccessibleInBothThemes(page)
})
