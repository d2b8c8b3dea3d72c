import { appendFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible'
import { test } from './damaged-store'

test.describe('X12 integrity of a session', () => {
  test('shows what is wrong and what would change, repairs it, and takes that back to the byte', async ({
    page,
    world,
  }) => {
    const before = world.bytes()
    await page.goto(await world.page())
    await expect(page.getByText('Not safe to resume')).toBeVisible()
    const findings = page.getByRole('list', { name: 'Findings' })
    await expect(findings).toContainText('Unparseable line')
    await expect(findings).toContainText('Tool call without a result')
    await expect(page.getByRole('list', { name: 'Changes' })).toContainText('missing tool result')
    await expect(page.getByText(/would lose \d entries/)).toBeVisible()
    await expect(page.getByText('because the tool call berths has no result').first()).toBeVisible()
    expect(world.bytes().equals(before)).toBe(true)

    await page.getByRole('button', { name: 'Repair…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Repair this transcript?' })
    await expect(dialog).toContainText('to the byte')
    expect(world.bytes().equals(before)).toBe(true)
    await dialog.getByRole('button', { name: 'Repair', exact: true }).click()
    await expect(page.getByText('Repaired, and read again to be sure.')).toBeVisible()
    await expect(page.getByText('Safe to resume', { exact: true })).toBeVisible()
    expect(world.bytes().equals(before)).toBe(false)

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Taken back')).toBeVisible()
    expect(world.bytes().equals(before)).toBe(true)
  })

  test('refuses when the file is another one than the page showed', async ({ page, world }) => {
    await page.goto(await world.page())
    await expect(page.getByText('Not safe to resume')).toBeVisible()
    appendFileSync(world.file, '\n')
    const after = world.bytes()
    await page.getByRole('button', { name: 'Repair…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Repair', exact: true }).click()
    await expect(page.getByText(/not the file that was looked at/)).toBeVisible()
    expect(world.bytes().equals(after)).toBe(true)
  })

  test('is listed on Stores with what a move into the database would lose', async ({ page, world }) => {
    await world.page()
    await page.goto(`${world.url}/stores`)
    await expect(page.getByText('Repair before OpenClaw moves these')).toBeVisible()
  })

  test('has nothing serious for axe, and fits 360 px', async ({ page, world }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(await world.page())
    await expect(page.getByText('Not safe to resume')).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})
