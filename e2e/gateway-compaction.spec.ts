import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { GATEWAY_KEY, GATEWAY_RECORD, gatewayDatabase } from '../lib/testing/stores/gateway-session'
import { sessionPage } from './ask'
import { test } from './world'

const LIBSQL = createRequire(join(process.cwd(), 'package.json')).resolve('libsql')

test('X8 a session in OpenClaw’s database is compacted by its gateway, and the database is believed alone', async ({
  page,
  folder,
  serve,
}) => {
  const file = join(folder, 'store/agents/main/agent/openclaw-agent.sqlite')
  const database = gatewayDatabase(file)
  // A command in the place of OpenClaw's: it adds a record and answers.
  const command = join(folder, 'openclaw.cjs')
  writeFileSync(
    command,
    `const Database = require(${JSON.stringify(LIBSQL)})
    const database = new Database(${JSON.stringify(file)})
    const record = ${JSON.stringify(JSON.stringify(GATEWAY_RECORD))}
    database.prepare("INSERT INTO transcript_events VALUES ('s1', 25, ?, 1, NULL, ?, NULL)").run(record, record.length)
    database.close()
    console.log(JSON.stringify({ ok: true, key: ${JSON.stringify(GATEWAY_KEY)}, compacted: true, result: { tokensBefore: 9000, tokensAfter: 900 } }))`,
  )
  const settings = join(folder, 'plimsoll.json')
  writeFileSync(settings, JSON.stringify({ gateway: { command: [process.execPath, command] } }))
  const { url } = await serve(folder, { PLIMSOLL_STORES: join(folder, 'store'), PLIMSOLL_CONFIG: settings })
  const session = await sessionPage(url, () => true)
  await page.goto(`${session}/compact?compaction.keepRecentTokens=500`)
  await expect(page.getByTestId('lock')).toContainText('gateway runs it')
  await page.getByRole('button', { name: 'Run compaction…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('cannot be undone from here')
  await dialog.getByRole('button', { name: 'Compact', exact: true }).click()
  await expect(page.getByText(/the database holds the record/).first()).toBeVisible()
  database.close()
})
