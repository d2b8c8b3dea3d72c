import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, OWN_TEXT, STORE_TEXT, test } from './policy-home'
import { BIN } from './start-plimsoll'

const BROKEN = `${OWN_TEXT}stores: [\n`
const banner = 'Configuration files with faults'

test.describe('X8 a configuration file that cannot be read', () => {
  test('is named on every page with its place, mended on Policies, and then the word is gone', async ({
    page,
    home,
  }) => {
    home.writeOwn(BROKEN)
    for (const path of ['/', '/sessions', '/stores', '/help']) {
      await page.goto(`${home.url}${path}`)
      const alert = page.getByRole('alert', { name: banner })
      await expect(alert).toContainText(home.ownFile)
      await expect(alert).toContainText(/line \d+, column \d+/)
    }
    await page.goto(`${home.url}/`)
    await page.getByRole('alert', { name: banner }).getByRole('link', { name: 'Mend it' }).click()
    const text = page.getByRole('textbox', { name: /^Text of / })
    await expect(text).toHaveValue(BROKEN)
    await expect(page.locator('[data-mark="error"]').first()).toBeVisible()
    await text.fill(OWN_TEXT)
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('alert', { name: banner })).toBeHidden()
    expect(home.readOwn()).toBe(OWN_TEXT)
    await page.goto(`${home.url}/sessions`)
    await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
    await expect(page.getByRole('alert', { name: banner })).toBeHidden()
  })

  test('may be a runtime’s own: the link leads to it, and lists stay measured', async ({ page, home }) => {
    writeFileSync(home.storeFile, STORE_TEXT.replace(/\}\s*$/, ''))
    await page.goto(`${home.url}/sessions`)
    const alert = page.getByRole('alert', { name: banner })
    await expect(alert).toContainText(`${home.storeFile}, line`)
    await expect(page.getByRole('row', { name: /Voyage of anchor/ })).toBeVisible()
    await alert.getByRole('link', { name: 'Mend it' }).click()
    await expect(page.getByRole('textbox', { name: 'Text of openclaw.json' })).toHaveValue(
      /reserveTokensFloor/,
    )
    await expect(page.locator('[data-mark="error"]').first()).toBeVisible()
  })

  test('ends a reading verb of the command line with 4', ({ home }) => {
    home.writeOwn(BROKEN)
    const env = { ...process.env, PLIMSOLL_CONFIG: home.ownFile }
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'sessions'], { env, encoding: 'utf8' })
    expect(status).toBe(4)
    expect(stderr).toContain(home.ownFile)
  })
})

test.describe('X9 the policy in force', () => {
  test('is what fills are measured against, and is named', async ({ page, home }) => {
    // Of the settings: compaction at 0.7 for the agent main; of the store: a reserve of 25,000.
    await page.goto(`${home.url}/`)
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Nearest to the line' }) })
    const anchor = card.getByRole('link', { name: /Voyage of capstan/ })
    await expect(anchor).toContainText('of 175k')
    await expect(anchor).toContainText('compact 140k · plimsoll.yaml, agent main')
    home.writeOwn(OWN_TEXT.replace('at: 0.7', 'at: 0.6'))
    await page.reload()
    await expect(anchor).toContainText('compact 120k · plimsoll.yaml, agent main')
    await expect(anchor).toContainText('past compact')
    await page.goto(`${home.url}/sessions?sort=fill`)
    const first = page.getByRole('row').nth(1)
    await expect(first).toContainText('Voyage of capstan')
    await expect(first.getByTitle(/reserve 25k.*lines of plimsoll\.yaml, agent main/).first()).toBeAttached()
    await page.goto(await home.session('capstan'))
    await expect(page.getByRole('definition').filter({ hasText: '25k openclaw.json' })).toBeVisible()
  })
})
