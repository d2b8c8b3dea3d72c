import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInBothThemes } from './accessible'
import { FIRST_TEXT, test } from './audit-store'

const LINE = '{"type":"custom","id":"c1","parentId":null,"customType":"x"}\n'

/** The rows of the list that name this file. */
const writesOf = (page: Page, file: string) =>
  page.getByRole('list', { name: 'Writes' }).locator('> li').filter({ hasText: file })

test.describe('X17 audit', () => {
  // It is the first one: nothing was written in this world yet.
  test('says that nothing was written, shows a write as it happens, and takes it back byte for byte', async ({
    page,
    world,
  }) => {
    await page.goto(`${world.url}/audit`)
    await expect(page.getByText('Nothing was ever written to a store')).toBeVisible()
    await expect(page.getByText(/^live/).first()).toBeVisible()

    const receipt = await world.write(FIRST_TEXT + LINE, 'A line was missing.')
    const writes = page.getByRole('list', { name: 'Writes' }).locator('> li')
    await expect(writes).toHaveCount(1)
    const entry = writes.first()
    await expect(entry).toContainText('A line was missing.')
    await expect(entry).toContainText(world.file)
    await expect(entry).toContainText(/by e2e/)
    await expect(entry).toContainText(/[0-9a-f]{12} .*→.*[0-9a-f]{12} /)
    await entry.getByText('Hashes and backup').click()
    await expect(entry).toContainText(/before [0-9a-f]{64}/)

    await entry.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Take this write back?' })
    await expect(dialog).toContainText('byte for byte')
    expect(world.text()).toBe(FIRST_TEXT + LINE)
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByRole('status')).toContainText('Taken back')
    expect(world.text()).toBe(FIRST_TEXT)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await expect(writes).toHaveCount(2)
    await expect(writes.nth(0)).toContainText(`takes back ${receipt}`)
    await expect(writes.nth(1)).toContainText('undone')
    await expect(writes.nth(1).getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  })

  test('refuses when the file has moved on, says why, and leaves it alone', async ({ page, world }) => {
    await world.write(FIRST_TEXT + LINE, 'A line was missing.')
    appendFileSync(world.file, LINE)
    await page.goto(`${world.url}/audit`)
    await writesOf(page, world.file).getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByRole('alert')).toContainText('has moved on since that write')
    expect(world.text()).toBe(FIRST_TEXT + LINE + LINE)
  })

  test('marks receipts and lines of another hand, offers no undo of them, and refuses one', async ({
    page,
    fresh,
  }) => {
    const receipt = await fresh.write(FIRST_TEXT + LINE, 'A line was missing.')
    await page.goto(`${fresh.url}/audit`)
    const log = page.getByLabel('Log of writes')
    await expect(log).toContainText('1 line of')
    await expect(log).toContainText('none is missing')
    for (const [name, from, to] of [
      [`receipts/${receipt}.json`, 'A line was', 'Another line was'],
      ['logs/audit.jsonl', '"e2e"', '"you"'],
    ] as const) {
      const path = join(fresh.state, name)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    }
    await page.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByRole('alert')).toContainText('does not prove itself: It was changed after')
    expect(fresh.text()).toBe(FIRST_TEXT + LINE)
    await page.reload()
    await expect(log).toContainText('The chain breaks at line 1')
    const entry = page.getByRole('list', { name: 'Writes' }).locator('> li')
    await expect(entry).toContainText('Not proved. It was changed after it was signed.')
    await expect(entry.getByRole('button', { name: /^Undo/ })).toHaveCount(0)
    await expectAccessible(page)
  })

  test('has pages, works at 360 px, and passes the accessibility check in both themes', async ({
    page,
    world,
  }) => {
    await world.fill(FIRST_TEXT + LINE, 26)
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`${world.url}/audit`)
    await expect(page.getByText('Write number 25.')).toBeVisible()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(360)
    await expectAccessibleInBothThemes(page, 'anything')
    await page.getByRole('link', { name: 'Older' }).click()
    await expect(page).toHaveURL(/\?page=2$/)
    await expect(page.getByText('Write number 0.')).toBeVisible()
    await expect(page.getByText('Page 2 of 2')).toBeVisible()
  })
})
