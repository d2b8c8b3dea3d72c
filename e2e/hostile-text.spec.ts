import { expect, type Page } from '@playwright/test'
import { test } from './demo'
import { HOSTILE_NAME, HOSTILE_TEXT } from './hostile-store.mjs'

/** Notes what must never happen: dialogs, errors, requests to elsewhere. */
function watch(page: Page): string[] {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => seen.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) seen.push(request.url())
  })
  return seen
}

test('X20 a transcript full of markup, scripts and marks is shown as text and does nothing', async ({
  page,
}) => {
  const seen = watch(page)
  await page.goto('/sessions')
  const row = page.getByText(HOSTILE_NAME).first()
  await expect(row).toBeVisible()
  await page.getByRole('link', { name: HOSTILE_NAME }).first().click()
  await expect(page).toHaveURL(/\/sessions\/[0-9a-f]{16}/)
  const address = new URL(page.url())
  await expect(page.getByText(HOSTILE_TEXT).first()).toBeVisible()
  await page.goto(`${address.pathname}/transcript`)
  await expect(page.getByText(HOSTILE_TEXT).first()).toBeVisible()
  for (let i = 0; i < 6; i++) {
    await page.mouse.wheel(0, 4000)
    await page.waitForTimeout(150)
  }
  expect(await page.title()).not.toBe('pwned')
  expect(await page.locator('img[src="x"], svg[onload], a[href^="javascript:"]').count()).toBe(0)
  expect(seen).toEqual([])
})
