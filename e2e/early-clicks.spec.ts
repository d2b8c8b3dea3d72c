import { expect } from '@playwright/test'
import { test } from './demo'
import { holdScripts } from './hold-scripts'

test('a button that is pressed before the scripts of the page are there does its work once they are', async ({
  page,
}) => {
  const release = await holdScripts(page)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto('/sessions', { waitUntil: 'commit' })
  const sheet = page.getByRole('dialog', { name: 'Keys and marks' })
  const button = page.getByRole('button', { name: 'Keyboard shortcuts and marks' })
  await button.click()
  await button.click()
  await expect(page.locator('html')).toHaveAttribute('data-waiting')
  await expect(sheet).toBeHidden()
  // As where a part of the page is drawn anew: another button is in the place of the one that was pressed.
  await button.evaluate((pressed) => pressed.replaceWith(pressed.cloneNode(true)))
  release()
  await expect(sheet).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-waiting')
  // From now on the page answers by itself, and a click is one click.
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await button.click()
  await expect(sheet).toBeVisible()
  expect(problems).toEqual([])
})
