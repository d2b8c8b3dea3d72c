import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { expectAccessible, expectAccessibleAt, LOOKS, showLook } from './accessible'
import { test } from './cold-world'

test('X14 X15 W1 W2 W3 the logs as charts and rows; a new line shows within a second or two', async ({
  page,
  world,
}) => {
  await page.goto(`${world.url}/activity`)
  await expect(page.getByRole('img', { name: /^Drops by reason/ })).toContainText('low_relevance')
  await expect(page.getByText('1 line could not be read')).toBeVisible()
  for (const button of await page.getByRole('button', { name: 'table' }).all()) await button.click()
  await expect(page.getByRole('region', { name: 'Drops by reason' })).toContainText('hard_limit')
  await expect(page.getByRole('region', { name: 'Tokens saved' })).toContainText('123 000')
  await expectAccessible(page)
  const rows = page.getByRole('list', { name: 'Lines of the logs' })
  await page.getByRole('combobox', { name: 'Log', exact: true }).selectOption('drops')
  await expect(page).toHaveURL(/kind=drops/)
  await expect(rows.getByRole('listitem')).toHaveCount(33)
  await expect(page.getByText('live').first()).toBeVisible()
  const line = { timestamp: new Date().toISOString(), chunk_id: 'fresh', session_id: 'a', reason: 'just_now' }
  appendFileSync(join(world.logs, 'drops.jsonl'), `${JSON.stringify(line)}\n`)
  await expect(rows.getByRole('listitem')).toHaveCount(34)
  await expect(rows.getByRole('listitem').first()).toContainText('just_now')
  const exported = await (await page.request.get(`${world.url}/api/activity/export?kind=drops`)).text()
  expect(exported.trim().split('\r\n')).toHaveLength(35)
})

test('W4 W5 W6 the cut-off is moved: what would change over the logs, and on the transcripts', async ({
  page,
  world,
}) => {
  await page.goto(`${world.url}/activity/cut-off`)
  await expect(page.getByTestId('advice')).toContainText('relevance.cutoff')
  const after = page.getByRole('group', { name: 'After' })
  await after.getByRole('spinbutton', { name: 'Cut-off, as a number' }).fill('0.1')
  await expect(page).toHaveURL(/cutoff=0.1/)
  await expect(page.getByTestId('cutoff-actions')).toContainText('After (0.1 / 0.7)')
  await expect(page.getByRole('region', { name: 'Chunks with another decision' })).toContainText(
    'dropped → summarised',
  )
  await page.getByRole('spinbutton', { name: 'Passes from tokens' }).fill('2000')
  await page.getByRole('button', { name: 'Try both' }).click()
  const trial = page.getByTestId('trial')
  await expect(trial).toContainText('fewer tokens sent')
  await expect(trial).toContainText('later needs met')
  await expect(trial).toContainText('≥ 95 %')
  for (const look of LOOKS) {
    await showLook(page, look)
    await expectAccessibleAt(page, look[1])
  }
})
