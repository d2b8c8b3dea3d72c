import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { ask } from './ask'
import { newFolder, startDashboard } from './dashboard'
import { test } from './world'

test('X1: a session whose store left between list and page keeps what was read and says what is missing', async ({
  page,
}) => {
  const home = newFolder('gone')
  const root = join(home, 'openclaw')
  const sessions = join(root, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  const transcript = new TranscriptBuilder()
  transcript.user('Which berth is free?')
  transcript.assistant('Berth 4.', { usage: { input: 900, output: 10 } })
  writeFileSync(join(sessions, 's1.jsonl'), transcript.text())
  const dashboard = await startDashboard(home, { PLIMSOLL_STORES: root })
  try {
    const id = await ask(
      `${dashboard.url}/api/sessions`,
      (answer) => (answer as { rows: { id: string }[] }).rows[0]?.id,
    )
    await page.goto(`${dashboard.url}/sessions`)
    await expect(page.getByRole('link', { name: 'Which berth is free?' })).toBeVisible()
    renameSync(root, `${root}-away`)
    await page.getByRole('link', { name: 'Which berth is free?' }).click()
    await expect(page.getByRole('heading', { name: 'Which berth is free?' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Window over calls' })).toBeVisible()
    const plan = await page.request.get(`${dashboard.url}/api/sessions/${id}/plan`)
    expect(plan.status()).toBe(404)
    expect((await plan.json()).problem).toContain('is not there (any more)')
    await page.goto(`${dashboard.url}/sessions/${id}/compact`)
    await expect(page.getByText('is not there (any more)').first()).toBeVisible()
  } finally {
    await dashboard.stop()
    rmSync(home, { recursive: true, force: true })
  }
})
