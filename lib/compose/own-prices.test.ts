import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCallBlocks } from '../db/call-blocks'
import { LocalConnection } from '../db/sqlite/local-connection'
import { TranscriptBuilder } from '../testing/builders/transcript'
import { runCli } from '../testing/run-cli'
import { sharedFolder } from '../testing/store-folder'

const folder = sharedFolder()
const settings = join(folder, 'plimsoll.yaml')
const store = join(folder, 'sessions')

/** What the database holds of the only call, after one reading of the store with these settings. */
async function costAfter(text: string) {
  writeFileSync(settings, text)
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_CONFIG: settings }
  const { code, stderr } = await runCli(['ingest', '--store', store], {
    ...{ env, cwd: folder, stop: new AbortController().signal },
  })
  expect([code, stderr]).toEqual([0, ''])
  const connection = new LocalConnection(join(folder, 'state', 'plimsoll.db'))
  const [row] = connection.run('SELECT "row" FROM "Session"').rows[0] ?? []
  const [call] = readCallBlocks(connection, Number(row))
  connection.close()
  return [call?.listUsd, call?.listFrom]
}

it('B7 the database follows the prices of the settings: set, changed and taken away', async () => {
  mkdirSync(store)
  const builder = new TranscriptBuilder({ id: 's' })
  builder.user('What does it cost?')
  builder.assistant('That.', { usage: { input: 1_000_000, output: 0 }, model: 'claude-opus-4-5' })
  writeFileSync(join(store, 's.jsonl'), builder.text())
  expect(await costAfter('stores: []\n')).toEqual([5, 'list'])
  expect(await costAfter('prices: { claude-opus-4-5: { input: 2, output: 1 } }\n')).toEqual([2, 'settings'])
  expect(await costAfter('prices: { claude-opus-4-5: { input: 3, output: 1 } }\n')).toEqual([3, 'settings'])
  expect(await costAfter('stores: []\n')).toEqual([5, 'list'])
})
