import { expect } from '@playwright/test'
import { test } from './session-store'

test.describe('B2 exact counts', () => {
  test('are shown beside the estimate, for a call and for an entry of it', async ({ page, world }) => {
    await page.goto(`${await world.page('steady')}?call=40`)
    const whole = page.getByTestId('exact-count').first()
    await whole.getByRole('button', { name: 'Exact count' }).click()
    await expect(whole).toContainText('estimate by o200k_base')
    // The transcript names a model whose tokenizer is its maker's secret.
    await expect(whole).toContainText('Not the tokenizer of')
    await expect(whole).toContainText(/estimated .*≈ \([+−]/)
    await page
      .getByTestId('context-rows')
      .locator('tbody tr[data-seq]')
      .first()
      .getByRole('button', { name: /^Open line/ })
      .click()
    const one = page.getByRole('dialog').getByTestId('exact-count')
    await one.getByRole('button', { name: 'Exact count' }).click()
    await expect(one).toContainText(/Counted 1\d tokens/)
  })

  test('of a call that is not there are refused with a message', async ({ page, world }) => {
    const address = (await world.page('steady')).replace('/sessions/', '/api/sessions/')
    const missing = await page.request.get(`${address}/exact?call=9999`)
    expect(missing.status()).toBe(404)
    expect((await page.request.get(`${address}/exact?call=x`)).status()).toBe(400)
  })
})
