import { expect } from '@playwright/test'
import { test } from './demo'

test.describe('findings', () => {
  test('says what is wrong with its number, leads to the session, and shows one severity alone', async ({
    page,
  }) => {
    await page.goto('/findings')
    const list = page.getByRole('list', { name: 'Findings' })
    const first = list.getByRole('listitem').first()
    await expect(first).toContainText(/≈ \$|tokens|price unknown/)
    await first.getByText('When this is found').click()
    const severity = await first.locator('span').first().textContent()
    await page
      .getByRole('navigation', { name: 'Severity' })
      .getByRole('link', { name: new RegExp(`^${severity}`, 'i') })
      .click()
    await expect(page).toHaveURL(new RegExp(`severity=${severity}`))
    await expect(list.locator('> li').first()).toBeVisible()
    await list.locator('> li').first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/sessions\/[^/]+/)
  })
})
