import { expect } from '@playwright/test'
import { test } from './demo'

test.describe('X19 keyboard', () => {
  test('the palette finds screens, actions and sessions', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('berth')
    await expect(palette.getByRole('option').first()).toContainText('Berth plan')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/sessions\/[0-9a-f]{16}/)
    await expect(palette).toBeHidden()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('dark')
    await expect(palette.getByRole('option', { name: /Dark theme/ })).toHaveAttribute('aria-selected', 'true')
    const remembered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await remembered
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('residual')
    await palette
      .getByRole('group', { name: 'Help' })
      .getByRole('option', { name: /^Residual/ })
      .click()
    await expect(page).toHaveURL('/help#residual')
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('effective budget')
    await expect(page.getByRole('list', { name: 'Found in the help' }).getByRole('link').first()).toHaveText(
      'Effective budget',
    )
  })

  test('what is typed before the palette is there is not lost', async ({ page }) => {
    // A browser that is never idle: the palette is not loaded before it is asked for.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    await page.goto('/help')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/_next/static/**', async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Find' })
    await expect(palette.getByRole('textbox', { name: 'Find' })).toBeFocused()
    await page.keyboard.type('berth')
    letThrough()
    await expect(palette.getByRole('combobox')).toHaveValue('berth')
    await page.keyboard.type(' plan')
    await expect(palette.getByRole('combobox')).toHaveValue('berth plan')
    await expect(palette.getByRole('option').first()).toContainText('Berth plan')
  })

  test('g and a letter go to screens, ? shows the sheet, Escape closes it', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    for (const [key, path] of [
      ['s', '/sessions'],
      ['f', '/findings'],
      ['t', '/stores'],
      ['u', '/audit'],
      ['j', '/jobs'],
      ['h', '/help'],
      ['o', '/'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page).toHaveURL(path)
    }
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keys and marks' })
    await expect(sheet).toContainText('estimated')
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
  })

  test('keys are text while the reader types', async ({ page }) => {
    await page.goto('/sessions')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('g h ? j')
    await expect(page.getByRole('searchbox')).toHaveValue('g h ? j')
    await expect(page).toHaveURL(/\/sessions/)
  })

  test('the first Tab leads past the navigation', async ({ page }) => {
    await page.goto('/help')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
  })
})
