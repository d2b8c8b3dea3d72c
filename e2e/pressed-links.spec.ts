import { expect, type Page, type Request } from '@playwright/test'
import { expectAccessibleLayout } from './accessible'
import { test } from './demo'

/** What asks for a page, or for the making ready of one. */
const isForPage = (request: Request, path: string) =>
  new URL(request.url()).pathname.startsWith(path) && request.headers().rsc !== undefined

/** Holds back the pages below a path until it is called. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    (url) => url.pathname.startsWith(path),
    async (route) => {
      if (isForPage(route.request(), path)) await held
      await route.continue()
    },
  )
  return release
}

const background = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor)

test.describe('a link that was pressed', () => {
  test('is marked, with its row, until a slow session is there', async ({ page }) => {
    await page.goto('/sessions')
    const before = await background(page, 'main tbody tr[aria-rowindex="2"]')
    const release = await holdBack(page, '/sessions/')
    await page.locator('main tbody tr[aria-rowindex="2"] a').first().click()
    await expect(page.locator('main tbody tr[aria-rowindex="2"] a [data-pending]')).toBeAttached()
    await page.mouse.move(0, 0)
    await expect.poll(() => background(page, 'main tbody tr[aria-rowindex="2"]')).not.toBe(before)
    await expectAccessibleLayout(page)
    release()
    await expect(page.getByRole('navigation', { name: 'Parts of the session' })).toBeVisible()
    await expect(page.locator('[data-pending]')).toHaveCount(0)
  })

  test('behind More at 360 px marks More, since its list has closed', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto('/sessions')
    const more = page.getByRole('button', { name: 'More screens' })
    const colour = () => more.evaluate((element) => getComputedStyle(element).fontWeight)
    const before = await colour()
    const release = await holdBack(page, '/help')
    await more.click()
    await page.getByRole('list', { name: 'More screens' }).getByRole('link', { name: 'Help' }).click()
    await expect(page.getByRole('list', { name: 'More screens' })).toBeHidden()
    expect(await colour()).not.toBe(before)
    release()
    await expect(page.getByRole('heading', { name: 'Words' })).toBeVisible()
  })
})

test('a page is made ready while the pointer rests on its link, and not when it passes over', async ({
  page,
}) => {
  await page.goto('/sessions')
  const asked: string[] = []
  page.on('request', (request) => {
    if (isForPage(request, '/memory')) asked.push(request.url())
  })
  const link = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Memory' })
  // Both in one task: between two movements of a real mouse a busy machine may let more time pass than a rest takes.
  await link.evaluate((element) => {
    element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
    element.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, relatedTarget: document.body }))
  })
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  expect(asked).toEqual([])
  await link.hover()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  // Its parts are asked for one after the other: it is ready when the last was answered and none has followed.
  await expect
    .poll(async () => {
      const count = asked.length
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
      return asked.length === count
    })
    .toBe(true)
  const before = asked.length
  await link.click()
  await expect(page).toHaveURL(/\/memory$/)
  expect(asked).toHaveLength(before)
})

test('a term of the help is gone to from another page, though its part comes after the first', async ({
  page,
}) => {
  await page.goto('/lab')
  await page.getByRole('link', { name: 'How it is reckoned' }).click()
  await expect(page).toHaveURL(/\/help#lab$/)
  await expect(page.getByRole('heading', { name: 'Lab: policies replayed' })).toBeInViewport()
})
