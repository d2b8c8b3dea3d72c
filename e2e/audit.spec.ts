import { appendFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import { expect, FIRST_TEXT, test } from './audit-store'

const LINE = '{"type":"custom","id":"c1","parentId":null,"customType":"x"}\n'

test.describe('X17 audit', () => {
  // Each test starts a dashboard of its own.
  test.describe.configure({ timeout: 60_000 })

  test('says that nothing was written, shows a write as it happens, and takes it back byte for byte', async ({
    page,
    store,
  }) => {
    await page.goto(`${store.url}/audit`)
    await expect(page.getByText('Nothing was ever written to a store')).toBeVisible()
    await expect(page.getByText(/^live/).first()).toBeVisible()

    const receipt = await store.write(FIRST_TEXT + LINE, 'A line was missing.')
    const writes = page.getByRole('list', { name: 'Writes' }).locator('> li')
    await expect(writes).toHaveCount(1)
    const entry = writes.first()
    await expect(entry).toContainText('A line was missing.')
    await expect(entry).toContainText(store.file)
    await expect(entry).toContainText(/by e2e/)
    await expect(entry).toContainText(/[0-9a-f]{12} .*→.*[0-9a-f]{12} /)
    await entry.getByText('Hashes and backup').click()
    await expect(entry).toContainText(/before [0-9a-f]{64}/)

    await entry.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Take this write back?' })
    await expect(dialog).toContainText('byte for byte')
    expect(store.text()).toBe(FIRST_TEXT + LINE)
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByRole('status')).toContainText('Taken back')
    expect(store.text()).toBe(FIRST_TEXT)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await expect(writes).toHaveCount(2)
    await expect(writes.nth(0)).toContainText(`takes back ${receipt}`)
    await expect(writes.nth(1)).toContainText('undone')
    await expect(writes.nth(1).getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  })

  test('refuses when the file has moved on, says why, and leaves it alone', async ({ page, store }) => {
    await store.write(FIRST_TEXT + LINE, 'A line was missing.')
    appendFileSync(store.file, LINE)
    await page.goto(`${store.url}/audit`)
    await page.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByRole('alert')).toContainText('has moved on since that write')
    expect(store.text()).toBe(FIRST_TEXT + LINE + LINE)
  })

  test('has pages, works at 360 px, and passes the accessibility check in both themes', async ({
    page,
    store,
  }) => {
    await store.fill(FIRST_TEXT + LINE, 26)
    await page.setViewportSize({ width: 360, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${store.url}/audit`)
      await expect(page.getByText('Write number 25.')).toBeVisible()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(360)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    await page.getByRole('link', { name: 'Older' }).click()
    await expect(page).toHaveURL(/\?page=2$/)
    await expect(page.getByText('Write number 0.')).toBeVisible()
    await expect(page.getByText('Page 2 of 2')).toBeVisible()
  })
})
