import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { test } from './demo'

test.describe('Overview', () => {
  test('lists the sessions nearest to their line first, each with its denominator and whose line it is', async ({
    page,
  }) => {
    await page.goto('/')
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Nearest to the line' }) })
    await expect.poll(() => card.getByRole('listitem').count()).toBeGreaterThan(3)
    const rows = await card.getByRole('listitem').allInnerTexts()
    const nearness = rows.map((row) => {
      const tokens = Number(/^([\d.]+)k/m.exec(row)?.[1])
      return tokens / Number(/compact (\d+)k · (?:OpenClaw 2026|pi)/.exec(row)?.[1])
    })
    for (const share of nearness) expect(share).toBeGreaterThan(0)
    expect(nearness).toEqual([...nearness].sort((a, b) => b - a))
    await expect(
      card
        .getByRole('img', { name: /tokens, .* of 180k effective budget; window 200k, reserve 20k/ })
        .first(),
    ).toBeVisible()
    // What is assumed of a runtime ends the line, and must not be cut off with it.
    const assumed = card.getByText(/ · (OpenClaw 2026|pi).*\(assumed\)$/)
    expect(await assumed.count()).toBeGreaterThan(0)
    for (const line of await assumed.all())
      expect(await line.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true)
    await card.getByRole('link').nth(1).click()
    await expect(page).toHaveURL(/\/sessions\/[0-9a-f]{16}/)
  })

  test('X6: chart and table of tokens by model hold the same sums', async ({ page }) => {
    await page.goto('/')
    const models = page.locator('section', {
      has: page.getByRole('heading', { name: 'Tokens and cost by model' }),
    })
    await models.getByRole('button', { name: 'table' }).click()
    const table = models.getByRole('table')
    const cells = await table
      .getByRole('row')
      .evaluateAll((rows) =>
        rows
          .slice(1)
          .map((row) =>
            [...row.querySelectorAll('td')]
              .slice(0, 5)
              .map((cell) => Number(cell.innerText.replace(/\D/g, ''))),
          ),
      )
    const sums = cells.at(-1) ?? []
    expect(sums[0]).toBeGreaterThan(100)
    for (let column = 0; column < 5; column++) {
      const sum = cells.slice(0, -1).reduce((total, row) => total + (row[column] ?? 0), 0)
      expect(sum).toBe(sums[column])
    }
  })

  test('X18: the chart by day has a table twin and is saved as CSV and SVG', async ({ page }) => {
    await page.goto('/?days=90')
    const days = page.locator('section', {
      has: page.getByRole('heading', { name: 'Tokens by day and category' }),
    })
    await days.scrollIntoViewIfNeeded()
    const bars = days.getByRole('img', { name: 'Tokens sent by day and category' })
    await expect(bars).toBeVisible()
    await expect(days.locator('svg.recharts-surface')).toHaveCount(0)
    await bars.hover()
    await expect(days.locator('svg.recharts-surface').first()).toBeVisible()
    await days
      .locator('svg.recharts-surface')
      .first()
      .hover({ position: { x: 200, y: 100 } })
    await expect(days.getByText(/tokens in \d+ calls/)).toBeVisible()
    await days.getByRole('button', { name: /^Save/ }).click()
    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save as SVG' }).click(),
    ])
    const drawing = readFileSync(await svg.path(), 'utf8')
    expect(drawing).toContain('<svg')
    expect(drawing).not.toContain('var(--')
    await days.getByRole('button', { name: 'table' }).click()
    await expect(days.getByRole('table')).toContainText('Tool results')
    await days.getByRole('button', { name: /^Save/ }).click()
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save as CSV' }).click(),
    ])
    const lines = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(91)
    expect(lines[0]).toMatch(/^day \(UTC\),calls,tokens sent,/)
  })

  test('keeps the period in the address', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '7 d' }).click()
    await expect(page).toHaveURL(/\?days=7$/)
    await expect(page.getByRole('link', { name: '7 d' })).toHaveAttribute('aria-current', 'true')
  })
})

test.describe('stores', () => {
  test('X1: every store with its state, and what was probed', async ({ page }) => {
    await page.goto('/stores')
    await expect(page.getByText('harbour_note')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Unreadable lines' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'not found' }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Read again now' }).click()
    await expect(page.getByText(/Looking at every store now/)).toBeVisible()
  })

  test('made-up sessions are marked where they are beside others', async ({ page }) => {
    await page.goto('/sessions')
    await expect(page.getByText('Made-up sessions are beside yours')).toBeVisible()
    await expect(page.getByRole('row').getByText('demo', { exact: true }).first()).toBeVisible()
  })
})

test('X1: without a store every screen prints the probed paths and offers the demo, which then appears', async ({
  page,
  folder,
  serve,
}) => {
  const { url } = await serve(folder)
  for (const path of ['/', '/sessions', '/stores']) {
    await page.goto(url + path)
    await expect(page.getByRole('heading', { name: 'No agent store was found' })).toBeVisible()
    await expect(page.getByText(/\.openclaw · openclaw · a known place · not found/)).toBeVisible()
  }
  await page.goto(url)
  await page.getByRole('button', { name: 'Show me a demo store' }).click()
  await expect(page.getByRole('heading', { name: 'Nearest to the line' })).toBeVisible()
  await expect(page.getByText('All sessions here are made up')).toBeVisible()
})
