import { expect } from '@playwright/test'
import { SECRET, test } from './session-store'

const COVERED = '•'.repeat(SECRET.length)

test.describe('X20 credentials', () => {
  test('are covered in the transcript until their entry is revealed', async ({ page, world }) => {
    await page.goto(`${await world.page('quiet')}/transcript`)
    const entry = page.getByRole('article').filter({ hasText: 'for the barrels' })
    await expect(entry).toContainText(COVERED)
    expect(await page.content()).not.toContain(SECRET)
    await entry.getByRole('button', { name: 'Raw' }).click()
    await expect(entry.getByTestId('raw-line')).toContainText(COVERED)
    await entry.getByRole('button', { name: 'Reveal 1 credential' }).click()
    await expect(entry).toContainText(SECRET)
    await expect(page).not.toHaveURL(/reveal/)
    await entry.getByRole('button', { name: 'Raw' }).click()
    await expect(entry).toContainText(SECRET)
    await entry.getByRole('button', { name: 'Cover 1 credential' }).click()
    await expect(entry).not.toContainText(SECRET)
  })

  test('do not travel unless they are asked for', async ({ page, world }) => {
    const address = (await world.page('quiet')).replace('/sessions/', '/api/sessions/')
    for (const path of [
      '/entries?page=1',
      '/entries/2',
      '/entries/2/text',
      '/find?q=barrels',
      '/turns?page=1',
    ]) {
      const answer = await page.request.get(`${address}${path}`)
      expect(answer.status(), path).toBe(200)
      expect(await answer.text(), path).not.toContain(SECRET)
    }
    const list = await page.request.get(`${world.url}/api/sessions?q=barrels`)
    expect(await list.text()).not.toContain(SECRET)
    const revealed = await page.request.get(`${address}/entries/2/text?reveal=1`)
    expect(await revealed.text()).toContain(SECRET)
  })
})

test('X3 the table and the CSV hold every call', async ({ page, world }) => {
  const address = await world.page('steady')
  await page.goto(`${address}?call=40&view=table&from=30&to=45`)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save Window over calls' }).click()
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/-frames\.csv$|-calls\.csv$/)
  const csv = await (
    await page.request.get(`${address.replace('/sessions/', '/api/sessions/')}/calls.csv`)
  ).text()
  expect(csv.trim().split('\r\n')).toHaveLength(61)
})
