import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LocalConnection } from '../../../db/sqlite/local-connection'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder } from '../../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const run = (...argv: string[]) => runCli(argv, { env, cwd: folder, stop: new AbortController().signal })

it('M1 a torn header is counted as unreadable alike by lists, status and pages, and is in no context', async () => {
  const builder = new TranscriptBuilder({ id: 'torn' })
  builder.user('Is the lock open?')
  builder.assistant('Yes.', { usage: { input: 40, output: 2 } })
  const [header = '', ...rest] = builder.text().split('\n')
  const store = join(folder, 'sessions')
  mkdirSync(store)
  writeFileSync(join(store, 'torn.jsonl'), [header.slice(0, 40), ...rest].join('\n'))
  const counts = { entries: 3, unreadable: 1 }

  const { sessions } = JSON.parse((await run('sessions', '--store', store, '--json')).stdout)
  expect(sessions).toHaveLength(1)
  expect(sessions[0]).toMatchObject(counts)
  expect(JSON.parse((await run('status', 'torn', '--store', store, '--json')).stdout)).toMatchObject(counts)
  expect((await run('status', 'torn', '--store', store)).stdout).toContain('1 unreadable line')

  const context = JSON.parse(
    (await run('context', 'torn', '--call', 'next', '--store', store, '--json')).stdout,
  )
  expect(context.entries).toHaveLength(2)

  expect((await run('ingest', '--store', store)).code).toBe(0)
  // The rows that pages are made of.
  const connection = new LocalConnection(join(folder, 'state', 'plimsoll.db'))
  const { rows } = connection.run('SELECT "entries", "unreadable" FROM "Session"')
  connection.close()
  expect(rows.map((row) => [...row].map(Number))).toEqual([[counts.entries, counts.unreadable]])
})
