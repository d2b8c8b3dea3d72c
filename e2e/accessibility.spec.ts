import { expect } from '@playwright/test'
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleLayout,
  narrowToFit,
  showTheme,
} from './accessible'
import { test } from './demo'

const PAGES = [
  '/',
  '/?days=7',
  '/sessions',
  '/sessions?q=pilot',
  '/findings',
  '/stores',
  '/audit',
  '/cold-storage',
  '/memory',
  '/activity',
  '/activity/cut-off',
  '/activity/transcripts',
  '/jobs',
  '/help',
  '/no/such/page',
]

/** Pages with elements that only a narrow screen shows; those of the shell are on every page. */
const NARROW_PAGES = ['/', '/sessions']

test.describe('X18 in both themes', () => {
  for (const path of PAGES) {
    test(`axe finds nothing serious on ${path}, which fits 360 px`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByText(/^live/).first()).toBeVisible()
      await expectAccessibleInBothThemes(page)
      await showTheme(page, 'light')
      await narrowToFit(page)
      await (NARROW_PAGES.includes(path) ? expectAccessible : expectAccessibleLayout)(page)
    })
  }

  test('nor on tables, palette, sheet and menu', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    for (const button of await page.getByRole('button', { name: 'table' }).all()) await button.click()
    await page.getByRole('button', { name: 'Theme' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('option').first()).toBeVisible()
    await expectAccessibleInBothThemes(page)
  })

  test('nor where there is no store', async ({ page, empty }) => {
    await page.goto(`${empty.url}/help`)
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await expectAccessibleInBothThemes(page)
  })

  test('the other theme is there at once for who wants little motion', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByText(/^live/).first()).toBeVisible()
    await showTheme(page, 'light')
    const moved = await page.evaluateHandle(() => {
      const properties: string[] = []
      document.addEventListener('transitionrun', ({ propertyName }) => properties.push(propertyName))
      return properties
    })
    await showTheme(page, 'dark')
    expect(await moved.jsonValue()).toEqual([])
  })
})

test.describe('X18 at 360 px', () => {
  test.use({ viewport: { width: 360, height: 640 } })

  test('the navigation at the lower edge leads to every screen', async ({ page }) => {
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Screens' })
    for (const [name, path] of [
      ['Sessions', '/sessions'],
      ['Stores', '/stores'],
      ['Audit', '/audit'],
      ['Help', '/help'],
      ['Overview', '/'],
    ] as const) {
      const link = navigation.getByRole('link', { name, exact: true })
      if (!(await link.isVisible())) await navigation.getByRole('button', { name: /^More screens/ }).click()
      await link.click()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    }
  })
})
