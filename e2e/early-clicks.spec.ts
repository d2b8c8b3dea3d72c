import { expect, type Page } from '@playwright/test'
import { test } from './demo'
import { holdScripts } from './hold-scripts'

test('a button that is pressed before the scripts of the page are there does its work once they are', async ({
  page,
}) => {
  const release = await holdScripts(page)
  const problems = problemsOf(page)
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

test('what is typed and chosen before the scripts of the page are there counts once they are', async ({
  page,
}) => {
  const release = await holdScripts(page)
  const problems = problemsOf(page)
  await page.goto('/sessions', { waitUntil: 'commit' })
  const field = page.getByRole('searchbox', { name: 'Search sessions' })
  await field.pressSequentially('plan')
  await page.getByRole('combobox', { name: 'State' }).selectOption('reset')
  release()
  await expect(page).toHaveURL(/q=plan/)
  await expect(page).toHaveURL(/state=reset/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(field).toHaveValue('plan')
  await field.pressSequentially(' b')
  await expect(page).toHaveURL(/q=plan(\+|%20)b/)
  expect(problems).toEqual([])
})

test('a box that is ticked before the scripts of the page are there is ticked once they are', async ({
  page,
}) => {
  const release = await holdScripts(page)
  await page.goto('/lab', { waitUntil: 'commit' })
  const box = page.getByRole('checkbox', { name: 'Preset vs7' })
  await expect(box).not.toBeChecked()
  await box.check()
  const before = await page.getByText(/^\d+ of \d+ chosen$/).textContent()
  release()
  await expect(page.getByText(/^\d+ of \d+ chosen$/)).not.toHaveText(before ?? '')
  await expect(box).toBeChecked()
})

/** What the page complains of, from now on. */
function problemsOf(page: Page): readonly string[] {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}
