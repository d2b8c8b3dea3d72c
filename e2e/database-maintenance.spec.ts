import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { AgentDatabaseBuilder } from '../lib/testing/builders/agent-database'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { cleanupCommand, removeSession } from '../lib/testing/cleanup-command'
import { SIGNED_IN } from './start-plimsoll'
import { test } from './world'

const HEADER = JSON.stringify({
  type: 'session',
  version: 3,
  id: 's1',
  timestamp: '2026-11-01T09:00:00.000Z',
})
/** Puts it before all rows. */
const DOCTOR_SQL = [
  `UPDATE transcript_events SET seq = seq + 1000 WHERE session_id = 's1'`,
  `UPDATE transcript_events SET seq = seq - 999 WHERE session_id = 's1'`,
  `INSERT INTO transcript_events VALUES ('s1', 0, '${HEADER}', 1, NULL, NULL, NULL)`,
]

test('N1 N2 M12 OpenClaw’s own maintenance and doctor, for its database: shown, carried out, verified, in the audit', async ({
  page,
  folder,
  serve,
}) => {
  const file = join(folder, 'store/agents/main/agent/openclaw-agent.sqlite')
  const database = new AgentDatabaseBuilder(file)
  for (const [key, id] of [
    ['agent:main:main', 's1'],
    ['agent:main:dashboard:d', 's2'],
    ['agent:main:cron:old', 's3'],
  ] as const) {
    const transcript = new TranscriptBuilder({ version: 4 })
    transcript.user(`Please do ${id}.`)
    transcript.assistant('Done.')
    // The main session lacks its header.
    const rows = id === 's1' ? transcript.lines.slice(1) : transcript.lines
    database.session({ id, key, rows, entry: { sessionId: id, updatedAt: 1, label: `label of ${id}` } })
  }
  database.close()
  writeFileSync(join(folder, 'store/openclaw.json'), JSON.stringify({ gateway: { port: 1 } }))
  const command = cleanupCommand(folder, file, {
    sql: removeSession('agent:main:cron:old', 's3'),
    doctorSql: DOCTOR_SQL,
  })
  const settings = join(folder, 'plimsoll.json')
  const stores = [{ path: join(folder, 'store'), allow: { openclaw: true } }]
  writeFileSync(settings, JSON.stringify({ gateway: { command }, stores }))
  const { url } = await serve(folder, { PLIMSOLL_STORES: join(folder, 'store'), PLIMSOLL_CONFIG: settings })
  await page.goto(`${url}/stores`)
  await page
    .getByRole('link', { name: /maintenance/i })
    .first()
    .click()
  await expect(page.getByText('Only OpenClaw itself changes its database')).toBeVisible()
  const kept = page.getByLabel('Must stay')
  await kept.fill('agent:main:mian')
  await page.getByRole('button', { name: 'Ask OpenClaw what it would do' }).click()
  await expect(page.getByText('has the key "agent:main:mian"')).toBeVisible()
  await kept.fill('agent:main:main')
  await page.getByLabel('Also remove sessions whose transcripts hold no message').check()
  await page.getByRole('button', { name: 'Ask OpenClaw what it would do' }).click()
  await expect(page.getByText('3 sessions in the index now, 2 afterwards.')).toBeVisible()
  await expect(page.getByText('automation that was not used for too long')).toBeVisible()
  await page.getByRole('button', { name: 'Have OpenClaw run it' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('cannot be undone from here')
  await dialog.getByRole('button', { name: 'Have it done' }).click()
  await expect(page.getByText(/verified in the database: 1 session left the index/).first()).toBeVisible()
  const calls = readFileSync(join(folder, 'calls.jsonl'), 'utf8').trim().split('\n')
  expect(calls.length).toBeGreaterThan(2)
  for (const call of calls)
    expect(call).toMatch(
      /"--fix-missing".*"--active-key","agent:main:main"|"--active-key","agent:main:main".*"--fix-missing"/,
    )
  await expect(page.getByRole('button', { name: /Take back|Undo/ })).toHaveCount(0)
  await page.goto(`${url}/audit`)
  await expect(page.getByText(/by OpenClaw itself: 1 sessions to leave the index/)).toBeVisible()
  await expect(page.getByText(/Done by OpenClaw: its database was read again/)).toBeVisible()
  await expect(page.getByRole('button', { name: /Take back|Undo/ })).toHaveCount(0)
  const { rows } = (await (await fetch(`${url}/api/sessions`, SIGNED_IN)).json()) as {
    rows: { id: string; title: string }[]
  }
  const main = rows.find(({ title }) => title.includes('label of s1'))?.id
  await page.goto(`${url}/sessions/${main}/integrity`)
  await expect(page.getByText('which also applies all of its other safe repairs')).toBeVisible()
  await page.getByRole('button', { name: 'Have OpenClaw’s doctor repair it…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Have it done' }).click()
  await expect(page.getByText('doctor wrote the header; every other row')).toBeVisible()
  await expect(page.getByText('Sound', { exact: true })).toBeVisible()
})
