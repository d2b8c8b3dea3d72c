import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { openArchiveFolder } from '../lib/adapters/archive/open-archive'
import { surveyArchive } from '../lib/engine/archive/survey-archive'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { newFolder, startDashboard } from './dashboard'
import { startPlimsoll } from './start-plimsoll'
import { test } from './world'

const DAY_S = 86_400
/** The answer is looked for at short intervals, for a minute. Milliseconds. */
const SOON = { timeout: 60_000, intervals: [100] }

test('what a runtime deletes is named before, kept, shown on its page, and put back', async ({ page }) => {
  const home = newFolder('archive')
  const root = join(home, 'openclaw')
  const sessions = join(root, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(root, 'openclaw.json'), '{ "meta": { "lastTouchedVersion": "2026.7.1" } }')
  const transcript = new TranscriptBuilder()
  transcript.user('Which berth is free?')
  transcript.assistant('Berth 4, beside the barnacle.', { usage: { input: 900, output: 10 } })
  const file = join(sessions, 's1.jsonl')
  writeFileSync(file, transcript.text())
  const old = Math.floor(Date.now() / 1000) - 29 * DAY_S
  utimesSync(file, old, old)
  const settings = join(home, 'plimsoll.yaml')
  writeFileSync(settings, 'archive: { enabled: true }\n')
  const env = { PLIMSOLL_STORES: root, PLIMSOLL_CONFIG: settings }
  const dashboard = await startDashboard(home, env)
  try {
    const folder = openArchiveFolder(join(home, 'state', 'archive'), Date.now)
    const kept = async () => (await surveyArchive(folder)).transcripts.map(({ goneAt }) => goneAt !== null)
    await expect.poll(kept, SOON).toEqual([false])
    await page.goto(`${dashboard.url}/stores`)
    const card = page.locator('#archive')
    await expect(card).toContainText('1 transcript will be deleted by the runtime within a week')
    await expect(card.getByRole('row').nth(1)).toContainText('session.maintenance.pruneAfter is 30d')
    await expect(card.getByRole('row').nth(1)).toContainText('yes')
    await card.getByRole('link', { name: 'Which berth is free?' }).click()
    await expect(page.getByRole('heading', { name: 'Which berth is free?' })).toBeVisible()
    await expect(page.getByTestId('gone')).toHaveCount(0)
    rmSync(file)
    await expect.poll(kept, SOON).toEqual([true])
    await page.reload()
    const note = page.getByTestId('gone')
    await expect(note).toContainText('kept in the archive')
    await page.goto(`${page.url().split('?')[0]}/transcript`)
    await expect(page.getByText('beside the barnacle').first()).toBeVisible()
    const command = (await note.locator('code').textContent()) ?? ''
    const restore = startPlimsoll(command.split(' ').slice(1), home, env)
    expect((await restore.ended).code).toBe(0)
    await expect(async () => {
      await page.reload()
      await expect(page.getByTestId('gone')).toHaveCount(0)
    }).toPass(SOON)
  } finally {
    await dashboard.stop()
    rmSync(home, { recursive: true, force: true })
  }
})
