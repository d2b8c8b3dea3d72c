import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes, expectAccessibleLayout, showTheme } from './accessible'
import { test as demoTest } from './demo'
import { test } from './findings-store'
import { expectQuickNews } from './redraw-times'

/** From the change of a file to an open page, while Overview, session and findings are all open. Milliseconds. */
const FINDING_NEWS = 2_000

/** Stores are examined as a whole twice a minute; on a busy machine it takes longer until their turn comes. */
const EXAMINED = { timeout: 120_000 }

/** The few worst causes: what is looked at here is on the page with them, and a full page is examined once, below. */
const WORST = '/findings?severity=high'

const findings = (page: Page) => page.getByRole('list', { name: 'Findings', exact: true })
const kind = (page: Page, name: string) => findings(page).locator(`> li[data-kind="${name}"]`)
const applied = (page: Page) => page.getByRole('list', { name: 'Applied settings' })

/** Both themes at full width, then 360 px. */
async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  await expectAccessibleInBothThemes(page)
  await showTheme(page, 'light')
  await page.setViewportSize({ width: 360, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessibleLayout(page)
  await page.setViewportSize(size)
}

demoTest.describe('findings of the demo', () => {
  demoTest('say what is wrong with their number and lead to the session', async ({ page }) => {
    await page.goto('/findings')
    const first = findings(page).locator('> li').first()
    await expect(first).toContainText(/≈ \$|tokens|price unknown/)
    await first.getByText('When this is found').click()
    const severity = await first.locator('span').first().textContent()
    await page
      .getByRole('navigation', { name: 'Severity' })
      .getByRole('link', { name: new RegExp(`^${severity}`, 'i') })
      .click()
    await expect(page).toHaveURL(new RegExp(`severity=${severity}`))
    await expect(findings(page).locator('> li').first()).toBeVisible()
    await findings(page).locator('> li').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/sessions\/[^/]+/)
  })

  demoTest(
    'an empty home has none, since nothing was read, and says what is looked for',
    async ({ page, empty }) => {
      await page.goto(`${empty.url}/findings`)
      await expect(page.getByRole('heading', { name: 'No session has been read yet' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'What is looked for' })).toBeVisible()
      await expectAccessibleEverywhere(page)
    },
  )
})

test.describe('findings', () => {
  test('Overview leads with the worst causes, each a sentence that leads to the sessions', async ({
    page,
    world,
  }) => {
    await page.goto(world.url)
    const rows = findings(page).getByRole('listitem')
    await expect(rows.first()).toContainText('high')
    expect(await rows.count()).toBeLessThanOrEqual(5)
    await expect(page.getByRole('link', { name: /^All 1.0\d\d findings$/ })).toBeVisible()
    await rows.filter({ hasText: 'same cause in 2 sessions' }).first().getByRole('link').click()
    await expect(page).toHaveURL(/\/findings\?session=.*&finding=/)
    await expect(kind(page, 'compaction-frees-nothing')).toHaveCount(1)
    const sessions = page.getByRole('list', { name: 'Sessions with this cause' }).getByRole('listitem')
    await expect(sessions).toHaveCount(2)
    await expectAccessibleEverywhere(page)
    await sessions.filter({ hasText: 'loop of harbour' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/sessions\/[^/]+\/findings/)
    await expect(kind(page, 'compaction-frees-nothing')).toHaveCount(1)
  })

  test('a session lists its own, and evidence opens the call and the line with one click', async ({
    page,
    world,
  }) => {
    const session = await world.loop()
    await page.goto(session)
    await page
      .getByRole('navigation', { name: 'Parts of the session' })
      .getByRole('link', { name: /^Findings/ })
      .click()
    await expect(page).toHaveURL(`${session}/findings`)
    const row = kind(page, 'compaction-frees-nothing')
    await expect(row).toContainText('compactions left the prompt as large as it was')
    await row.getByText('History', { exact: true }).click()
    await expect(row.getByRole('list', { name: 'History' })).toContainText('Found')
    await expectAccessibleEverywhere(page)
    await row
      .getByRole('link', { name: /^line / })
      .first()
      .click()
    await expect(page).toHaveURL(/\/transcript\?entry=\d+/)
    await page.goBack()
    await row.getByRole('link', { name: /^call 2$/ }).click()
    await expect(page).toHaveURL(/\?call=2$/)
    await expect(page.getByTestId('call-place')).toHaveText(/^call 2/)
    await expect(page.getByTestId('call-findings')).toContainText('compactions')
  })

  test('the chart marks the calls: words on hover and focus, arrow keys go on, Enter chooses the call', async ({
    page,
    world,
  }) => {
    await page.goto(await world.loop())
    const lane = page.getByRole('toolbar', { name: 'Findings at calls' })
    const marks = lane.getByRole('button')
    await expect(marks.first()).toBeVisible()
    await marks.first().hover()
    await expect(page.getByTestId('finding-tip')).toContainText('compactions came in chains')
    await page.mouse.move(0, 0)
    await expect(page.getByTestId('finding-tip')).toHaveCount(0)
    await marks.first().focus()
    await expect(page.getByTestId('finding-tip')).toBeVisible()
    await expectAccessibleEverywhere(page)
    await marks.first().focus()
    await page.keyboard.press('ArrowRight')
    await expect(marks.nth(1)).toBeFocused()
    const label = await marks.nth(1).getAttribute('aria-label')
    const call = /^Calls? (\d+)/.exec(label ?? '')?.[1]
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`call=${call}$`))
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('finding-tip')).toHaveCount(0)
  })

  test('a setting is previewed, applied and taken back to the byte, and the page says what came of it', async ({
    page,
    world,
  }) => {
    const before = world.settings()
    await page.goto(`${await world.loop()}/findings`)
    const row = kind(page, 'compaction-frees-nothing')
    await row.getByRole('button', { name: 'Preview the setting …' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('keepRecentTokens: 12000')
    expect(world.settings().equals(before)).toBe(true)
    await expectAccessibleEverywhere(page)
    await dialog.getByRole('button', { name: 'Change the file' }).click()
    await expect(dialog).toContainText('Written, with a backup')
    expect(world.settings().toString()).toBe(before.toString().replace('24000', '12000'))
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await row.getByText('History', { exact: true }).click()
    await expect(row.getByRole('list', { name: 'History' })).toContainText('24000 → 12000')

    await page.goto(world.url + WORST)
    const own = applied(page).getByRole('listitem').filter({ hasText: 'harbour' })
    await expect(own).toContainText(
      /Not enough data yet: 55 comparable calls before, 0 after; about \d+ more/,
    )
    world.improve()
    await expect(own).toContainText(/Helped\. prompt tokens per call: 5\d.\d{3} → 3\d.\d{3} \(95 % interval/)
    await expect(own).toContainText('55 calls before, 48 after')
    await own.getByRole('button', { name: 'Take it back …' }).click()
    await expectAccessibleEverywhere(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
    await expect(page.getByRole('dialog')).toContainText('The file is as it was before, byte for byte.')
    expect(world.settings().equals(before)).toBe(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await expect(own).toContainText('Taken back')
  })

  test('what has been worse for three days is to be taken back, with the button there', async ({
    page,
    world,
  }) => {
    expect(world.worse().toString()).not.toBe(world.before)
    await page.goto(world.url + WORST)
    const own = applied(page).getByRole('listitem').filter({ hasText: 'quay' })
    await expect(own).toContainText(/Worse\. prompt tokens per call: 3\d.\d{3} → 6\d.\d{3}/)
    await expect(own.getByRole('alert')).toHaveText('It has been worse for three days. Take it back.')
    await expectAccessibleEverywhere(page)
    await own.getByRole('button', { name: 'Take it back …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
    await expect(page.getByRole('dialog')).toContainText('The file is as it was before, byte for byte.')
    expect(world.worse().toString()).toBe(world.before)
  })

  test('a cause is muted with a reason and until a day, listed as such, and shown again', async ({
    page,
    world,
  }) => {
    await page.goto(world.url + WORST)
    const row = kind(page, 'compaction-chain')
    await row.getByRole('button', { name: 'Mute …' }).click()
    const dialog = page.getByRole('dialog')
    await expectAccessibleEverywhere(page)
    await expect(dialog.getByRole('button', { name: 'Mute', exact: true })).toBeDisabled()
    await dialog.getByLabel('Why').fill('Being looked at.')
    await dialog.getByLabel('Until (empty: for good)').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
    await expect(dialog).toContainText('choose a later one')
    const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Until (empty: for good)').fill(day)
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(row).toHaveCount(0)
    await page.getByRole('link', { name: 'Muted', exact: true }).click()
    await expect(row).toContainText('Muted: Being looked at. until')
    await expect(row.getByRole('time').last()).toHaveAttribute('datetime', new RegExp(`^${day}`))
    await page.goto(`${await world.loop()}/findings`)
    await expect(
      page.getByRole('list', { name: 'Muted' }).locator('> li[data-kind="compaction-chain"]'),
    ).toHaveCount(1)
    await page.goto(`${world.url}/findings?show=muted`)
    await row.getByRole('button', { name: 'Show it again' }).click()
    await expect(row).toHaveCount(0)
    await page.goto(`${world.url}/findings`)
    await expect(row).toHaveCount(1)
  })

  test('a thousand causes come page by page, and one of them is found by its severity', async ({
    page,
    world,
  }) => {
    await page.goto(`${world.url}/findings?severity=low`)
    await expect(findings(page).locator('> li')).toHaveCount(25)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages).toContainText(/^Page 1 of 4\d/)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(4_000)
    await expectAccessibleEverywhere(page)
    const first = await findings(page).locator('> li').first().textContent()
    await page.getByRole('link', { name: 'Further' }).click()
    await expect(page).toHaveURL(/page=2$/)
    await expect(pages).toContainText('Page 2 of')
    expect(await findings(page).locator('> li').first().textContent()).not.toBe(first)
    await page.goto(`${world.url}/findings?page=999`)
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
  })

  test('pages that are open show a new finding within two seconds', async ({ page, context, world }) => {
    const session = await world.calm()
    const [list, own] = [await context.newPage(), await context.newPage()]
    await page.goto(world.url)
    await list.goto(`${world.url}/findings?severity=high`)
    await own.goto(`${session}/findings`)
    await expect(own.getByRole('heading', { name: 'Nothing is wrong in this session' })).toBeVisible()
    for (const open of [page, list, own]) await expect(open.getByText(/^live/).first()).toBeVisible()
    let dollars = 100
    await expectQuickNews(
      'a finding on three pages',
      async () => {
        dollars *= 10
        const tool = `crane_${'abcdefgh'[Math.log10(dollars) - 3]}`
        const at = Date.now()
        world.fail(tool, dollars)
        const shown = [page, list, own].map((open) =>
          open.waitForFunction(
            (name) => document.querySelector('main')?.textContent?.includes(`${name} failed`),
            tool,
          ),
        )
        await Promise.all(shown)
        return [Date.now() - at]
      },
      FINDING_NEWS,
    )
    await Promise.all([list.close(), own.close()])
  })

  test('what is wrong in a store is listed with the others, names its transcripts, and can be muted', async ({
    page,
    world,
  }) => {
    await page.goto(`${world.url}/findings`)
    const row = kind(page, 'deleted-soon')
    await expect(row).toContainText('3 transcripts will be deleted by the runtime within 7 days')
    await expect(row).toContainText('in the store Claude Code')
    await row.getByText('History', { exact: true }).click()
    await expect(row.getByRole('list', { name: 'History' })).toContainText('Found')
    await row.getByRole('link', { name: 'which transcripts' }).click()
    await expect(page).toHaveURL(/\/findings\?store=[^&]+&finding=deleted-soon/)
    const due = page.getByRole('list', { name: 'Transcripts that it is about' }).getByRole('listitem')
    await expect(due).toHaveCount(3)
    // The one that goes first is the first.
    await expect(due.first()).toContainText('day 29')
    await expectAccessibleEverywhere(page)
    await row.getByRole('button', { name: 'Mute …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why').fill('They may go.')
    await dialog.getByRole('button', { name: 'Mute', exact: true }).click()
    await expect(row).toContainText('Muted: They may go.')
    await page.goto(`${world.url}/findings`)
    await expect(findings(page).locator('> li').first()).toBeVisible()
    await expect(row).toHaveCount(0)
    await page.goto(`${world.url}/findings?show=muted`)
    await row.getByRole('button', { name: 'Show it again' }).click()
    await expect(row).toHaveCount(0)
  })

  test('a lock that was left behind is on open pages within two seconds, and goes as fast', async ({
    page,
    context,
    world,
  }) => {
    const [list, own] = [page, await context.newPage()]
    const session = await world.lost()
    await list.goto(`${world.url}/findings`)
    await own.goto(`${session}/findings`)
    for (const open of [list, own]) await expect(open.getByText(/^live/).first()).toBeVisible()
    await expectQuickNews(
      'a lock on two pages',
      async () => {
        const shows = (isThere: boolean) =>
          [list, own].map((open) =>
            open.waitForFunction(
              (there) =>
                (document.querySelector('ul[aria-label="Findings"] > li[data-kind="stale-lock"]') !==
                  null) ===
                there,
              isThere,
            ),
          )
        const at = Date.now()
        world.lock(true)
        await Promise.all(shows(true))
        const news = Date.now() - at
        await expect(kind(list, 'stale-lock')).toContainText('Voyage of a lost rule')
        world.lock(false)
        await Promise.all(shows(false))
        return [news]
      },
      FINDING_NEWS,
    )
    await own.close()
  })

  test('a store that cannot be judged as a whole says so with what to do on Overview, Findings and Stores, until it can', async ({
    page,
    world,
  }) => {
    const faults = page.getByRole('list', { name: 'Stores with faults' })
    await page.goto(world.url + WORST)
    await expect(findings(page).locator('> li').first()).toBeVisible()
    await expect(faults).toHaveCount(0)
    world.block(true)
    await expect(faults).toContainText('OpenClaw · dock could not be examined as a whole', EXAMINED)
    await expect(faults).toContainText(
      /memory cannot be read \(ELOOP.*Let the user who runs Plimsoll read it\./,
    )
    await expectAccessibleEverywhere(page)
    await page.goto(world.url)
    await faults.getByRole('link', { name: 'OpenClaw · dock' }).click()
    await expect(page).toHaveURL(/\/stores#/)
    const store = page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`)
    await expect(store).toContainText('in part')
    await expect(store).toContainText('The store could not be examined as a whole')
    await page.goto(world.url)
    await expect(faults).toHaveCount(1)
    world.block(false)
    await expect(faults).toHaveCount(0, EXAMINED)
  })

  test('a rule that was lost is pinned as the line that was read, and taken back to the byte', async ({
    page,
    world,
  }) => {
    const before = world.instructions()
    await page.goto(`${await world.lost()}/findings`)
    const row = kind(page, 'rules-lost')
    await row.getByRole('button', { name: 'Pin a rule …' }).click()
    const dialog = page.getByRole('dialog')
    const write = dialog.getByRole('button', { name: 'Write this line' })
    const rule = dialog.getByRole('radio', { name: /Never push the harbour ledger to the main branch/ })
    await expect(rule).not.toBeChecked()
    await expect(write).toBeDisabled()
    // What a tool answered is no rule, whatever it says.
    await expect(dialog.getByRole('radio')).toHaveCount(1)
    await expect(dialog).not.toContainText('stranger')
    await rule.check()
    await expect(dialog).toContainText('+- Never push the harbour ledger to the main branch.')
    await expect(dialog).toContainText('Said in the name of the user in the session')
    await expectAccessibleEverywhere(page)
    expect(world.instructions().equals(before)).toBe(true)
    await write.click()
    await expect(dialog).toContainText('Written, with a backup')
    expect(world.instructions().toString()).toBe(
      `${before}\n## Pinned rules\n\n- Never push the harbour ledger to the main branch.\n`,
    )
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog).toContainText('The file is as it was before, byte for byte.')
    expect(world.instructions().equals(before)).toBe(true)
  })
})
