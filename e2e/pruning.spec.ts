import { type APIRequestContext, expect } from '@playwright/test'
import { expectAccessible } from './accessible'
import { test } from './demo'

type Row = { readonly id: string; readonly fill: { readonly contextTokens: number | null } | null }

/** The pruning page of the fullest session of the demo. */
async function fullest(request: APIRequestContext): Promise<string> {
  const { rows } = (await (await request.get('/api/sessions')).json()) as { rows: Row[] }
  const sorted = rows.toSorted((a, b) => (b.fill?.contextTokens ?? 0) - (a.fill?.contextTokens ?? 0))
  return `/sessions/${sorted[0]?.id}/pruning`
}

test.describe('J pruning is previewed on a session', () => {
  test('rules alone and together, each text with its reason; switches and knobs are in the address', async ({
    page,
    request,
  }) => {
    await page.goto(await fullest(request))
    const card = page.getByTestId('prune')
    await expect(card.getByRole('row')).toHaveCount(7)
    const row = card.getByRole('row', { name: /Age/ })
    await expect(row).not.toContainText('off')
    const freed = page.getByTestId('freed')
    const all = await freed.textContent()

    await page.getByRole('switch', { name: 'Age' }).click()
    await expect(page).toHaveURL(/pruning\.byAge=false/)
    await expect(row).toContainText('off')
    await expect(freed).not.toHaveText(all ?? '')
    await page.getByRole('switch', { name: 'Age' }).click()
    await expect(freed).toHaveText(all ?? '')

    const first = page.getByTestId('texts').getByRole('row').nth(1)
    await expect(first).toHaveAttribute('data-action', 'clear')
    await expect(first).toContainText(/older than tool results stay|made again later|read again later/)
    await first.getByRole('button', { name: /Open line/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')

    const keep = page.getByRole('textbox', { name: 'Newest messages kept' })
    await keep.fill('100000')
    await keep.press('Enter')
    await expect(page).toHaveURL(/keepLastMessages=100000/)
    await expect(freed).toHaveText('nothing would change')
    await page.reload()
    await expect(page.getByTestId('freed')).toHaveText('nothing would change')
    await expect(page.getByTestId('no-texts')).toBeVisible()
  })

  test('X18 axe finds nothing serious, and nothing runs out of a narrow screen', async ({
    page,
    request,
  }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(await fullest(request))
    await expect(page.getByTestId('texts')).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})
