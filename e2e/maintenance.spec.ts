import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { expectAccessibleInBothThemes, expectAccessibleLayout, narrowToFit } from './accessible'
import { test } from './maintained-store'

test.describe('Stores › maintenance', () => {
  test('N1 N2 N5: a dry run names what goes and what stays, and warn changes nothing', async ({
    page,
    world,
  }) => {
    const before = world.contents()
    await page.goto(`${world.url}/stores`)
    await page.getByRole('link', { name: /^Maintenance of OpenClaw.*jsonl/ }).click()
    await expect(page).toHaveURL(/\/maintenance$/)
    const going = page.getByRole('list', { name: 'What would go' })
    for (const summary of await going.locator('summary').all()) await summary.click()
    await expect(going).toContainText('agent:harbour:old leaves the index', { useInnerText: true })
    await expect(going).toContainText('old.jsonl')
    await expect(going).toContainText('orphan.jsonl')
    await expect(going).toContainText('gone.jsonl.deleted.')
    await expect(going).not.toContainText('agent:harbour:new')
    const stay = page.getByRole('list', { name: 'Sessions that stay' })
    await expect(stay).toContainText('agent:harbour:telegram:group:-100')
    await expect(stay).toContainText('protected: a group')
    await expect(page.getByRole('button', { name: 'warn' })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('button', { name: /^Apply the plan/ })).toBeDisabled()
    await expect(page.getByText('Defaults of OpenClaw of February 2026')).toBeVisible()
    const cap = page.getByRole('list', { name: 'Limits' }).getByRole('listitem').filter({ hasText: 'Cap' })
    await expect(cap).toContainText(/400.*openclaw\.json.*Default: 500/)
    expect(world.contents()).toEqual(before)
  })

  test('N3: limits are tried in the address; an active session that would go is named', async ({
    page,
    world,
  }) => {
    await page.goto(await world.page())
    await page.getByLabel('Age', { exact: true }).fill('1h')
    await page.getByLabel('Age', { exact: true }).press('Enter')
    await expect(page).toHaveURL(/pruneAfter=1h/)
    await page.getByLabel('Cap', { exact: true }).fill('1')
    await page.getByLabel('Cap', { exact: true }).press('Enter')
    const warnings = page.getByRole('list', { name: 'Warnings' })
    await expect(page).toHaveURL(/maxEntries=1/)
    await expect(page.getByRole('list', { name: 'What would go' })).toContainText('Age')
    await page.reload()
    await expect(page.getByLabel('Cap', { exact: true })).toHaveValue('1')
    await expect(page.getByText('2 sessions', { exact: true })).toBeVisible()
    await page.getByLabel('Age', { exact: true }).fill('soon')
    await page.getByLabel('Age', { exact: true }).press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'Not a limit like 30d' })).toBeVisible()
    await page.getByLabel('Age', { exact: true }).fill('1s')
    await page.getByLabel('Age', { exact: true }).press('Enter')
    await expect(warnings).toContainText('agent:harbour:now is active and stays')
  })

  test('N1: enforce carries the plan out as a job, under a receipt that takes it back byte for byte', async ({
    page,
    world,
  }) => {
    const before = world.contents()
    await page.goto(await world.page())
    await page.getByRole('button', { name: 'enforce' }).click()
    await page.getByRole('button', { name: /^Apply the plan/ }).click()
    expect(world.contents()).toEqual(before)
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    const job = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Result', exact: true }) })
    await expect(job).toContainText(/1 session left the index/)
    await expect(page.getByText('Nothing to do: everything is within its limits.')).toBeVisible()
    const after = world.contents()
    expect(Object.keys(JSON.parse(after['sessions.json'] ?? ''))).not.toContain('agent:harbour:old')
    expect(Object.keys(after).filter((name) => name.startsWith('old.jsonl'))).toEqual([
      expect.stringMatching(/^old\.jsonl\.deleted\./),
    ])
    expect(Object.keys(after)).not.toContain('orphan.jsonl')

    // The address names the job a moment after it was begun.
    await expect(page).toHaveURL(/job=/)
    await page.reload()
    await expect(job).toContainText('done')
    await job.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Take this write back?' })
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect(dialog.getByRole('status')).toContainText('Taken back')
    expect(world.contents()).toEqual(before)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(job.getByRole('link', { name: 'Receipt (taken back)' })).toHaveAttribute('href', /\/audit#/)
    await expect(page.getByRole('list', { name: 'What would go' })).toContainText('Age')
  })

  test('what has changed since the dry run is not carried out', async ({ page, world }) => {
    await page.goto(await world.page())
    await page.getByRole('button', { name: 'enforce' }).click()
    await page.getByRole('button', { name: /^Apply the plan/ }).click()
    appendFileSync(join(world.folder, 'orphan.jsonl'), '\n')
    const before = world.contents()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    const job = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Result', exact: true }) })
    await expect(job).toContainText('refused')
    await expect(job).toContainText('The store has changed since the dry run')
    expect(world.contents()).toEqual(before)
  })

  test('a store in a database is left to OpenClaw, and the page says what to do', async ({ page, world }) => {
    await page.goto(`${world.url}/stores`)
    await page.getByRole('link', { name: /^Maintenance of OpenClaw.*sqlite/ }).click()
    await expect(page.getByText('Plimsoll does not maintain this store')).toBeVisible()
    await expect(page.getByText(/openclaw sessions cleanup --dry-run/)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Apply the plan/ })).toHaveCount(0)
  })

  test('axe finds nothing serious, in both themes and narrow', async ({ page, world }) => {
    await page.goto(await world.page())
    await page.getByRole('button', { name: 'enforce' }).click()
    await expect(page.getByRole('button', { name: /^Apply the plan/ })).toBeEnabled()
    await page.locator('details').evaluateAll((all: HTMLDetailsElement[]) => {
      for (const one of all) one.open = true
    })
    await expectAccessibleInBothThemes(page)
    await narrowToFit(page)
    await expectAccessibleLayout(page)
    await page.getByRole('button', { name: /^Apply the plan/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleInBothThemes(page)
  })
})
