import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from '@playwright/test'
import { expectAccessible } from './accessible'
import { OWN_TEXT, test } from './policy-home'

const POEM = 'Full fathom five thy father lies.\n'

/** A folder of workspace files that the settings name. */
function makeWorkspace(ownFile: string): string {
  const folder = join(dirname(ownFile), 'ws')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'AGENTS.md'), POEM)
  writeFileSync(join(folder, 'SOUL.md'), 'x'.repeat(200_000))
  return folder
}

test.describe('P1 O5 workspaces', () => {
  test('a cache is read once, hit after that, stale after an edit, and read anew when asked', async ({
    page,
    world,
  }) => {
    const folder = makeWorkspace(world.ownFile)
    world.writeOwn(`workspaces: [${JSON.stringify(folder)}]\n${OWN_TEXT}`)
    await page.goto(`${world.url}/policies?tab=workspaces`)
    const card = page.locator('section', { has: page.getByRole('heading', { name: folder }) })
    await expect(card.getByText('cached', { exact: true })).toBeVisible()
    await expect(card.getByText(/0 hits, 1 reading/)).toBeVisible()
    await expect(card.getByText('changes are seen by the watcher')).toBeVisible()
    const agents = card.getByRole('row', { name: /AGENTS\.md/ })
    await expect(agents).toContainText(String(POEM.length))
    await expect(agents).toContainText('whole')
    await expect(card.getByRole('row', { name: /SOUL\.md/ })).toContainText('cut')
    await expect(card.getByRole('row', { name: /USER\.md/ })).toContainText('missing')

    await page.getByRole('button', { name: 'Ask as an agent does' }).click()
    await expect(card.getByText(/1 hit, 1 reading/)).toBeVisible()

    writeFileSync(join(folder, 'AGENTS.md'), `${POEM}Of his bones are coral made.\n`)
    await expect(card.getByText('stale', { exact: true })).toBeVisible()
    await expect(card.getByText(/last change by watcher: AGENTS\.md/)).toBeVisible()
    await expect(agents).toContainText(String(POEM.length))
    await expectAccessible(page, 'anything')

    await page.getByRole('button', { name: 'Ask as an agent does' }).click()
    await expect(card.getByText('cached', { exact: true })).toBeVisible()
    await expect(card.getByText(/1 hit, 2 readings, 1 invalidation/)).toBeVisible()
    await expect(agents).toContainText(String(POEM.length + 29))
  })

  test('fits a narrow screen', async ({ page, world }) => {
    const folder = makeWorkspace(world.ownFile)
    world.writeOwn(`workspaces: [${JSON.stringify(folder)}]\n${OWN_TEXT}`)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${world.url}/policies?tab=workspaces`)
    await expect(page.getByRole('row', { name: /AGENTS\.md/ })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})
