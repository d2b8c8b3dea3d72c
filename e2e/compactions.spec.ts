import { expect } from '@playwright/test'
import { expectAccessible } from './accessible'
import { test } from './demo'

test.describe('X7 compactions of the demo', () => {
  test('lists each with what it freed, and shows summary, losses and the calls around it', async ({
    page,
  }) => {
    await page.goto('/sessions?sort=calls')
    const link = page.getByRole('link', { name: 'Berth plan' }).first()
    await link.click()
    await page.getByRole('link', { name: /^Compactions\d/ }).click()
    const items = page.getByRole('table', { name: 'Compactions, newest first' }).locator('tbody > tr')
    await expect(items).toHaveCount(2)
    await expect(items.first()).toContainText('2 of 2')
    await expect(items.first()).toContainText('threshold')
    await expect(items.first()).toContainText(/\d → .*−\d+/)
    await items
      .first()
      .getByRole('button', { name: /^Open summary and losses/ })
      .click()
    await expect(page.getByTestId('summary')).toContainText('## Goal')
    await expect(page.getByTestId('losses')).toContainText(/came back/)
    await expectAccessible(page)
    await items
      .first()
      .getByRole('link', { name: /^call \d+ after$/ })
      .click()
    await expect(page).toHaveURL(/\?call=\d+/)
  })

  test('the Overview counts them by day, as a picture and as a table', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('img', { name: /^Compactions and tokens reclaimed/ })).toBeVisible()
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Compactions by day' }) })
    await expect(card).toContainText(/\d+ mid-task · .* tokens reclaimed/)
    await card.getByRole('button', { name: 'table' }).click()
    await expect(card.getByRole('table', { name: 'Compactions by day' })).toBeVisible()
  })
})
