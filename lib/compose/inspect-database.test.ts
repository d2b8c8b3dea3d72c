import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../testing/builders/transcript'
import { readSetup } from '../testing/read-setup'
import { temporaryFolder } from '../testing/store-folder'
import { inspectDatabase } from './inspect-database'
import { ingestOnce, type Setup } from './open'

let folder: string
let setup: Setup
let env: Record<string, string>
beforeEach(() => {
  folder = temporaryFolder()
  env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), PLIMSOLL_STORES: join(folder, 's1.jsonl') }
  const builder = new TranscriptBuilder({ id: 's1' })
  builder.user('hello')
  builder.assistant('hello to you')
  writeFileSync(join(folder, 's1.jsonl'), builder.text())
  const read = readSetup(env, folder)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  setup = read.setup
})

describe('a look at our own database', () => {
  it('counts stores, sessions and their entries', async () => {
    expect(await inspectDatabase(setup.environment)).toMatchObject({ state: 'missing', counts: null })
    const outcome = await ingestOnce(setup, env)
    if (!outcome.ok) throw new Error(outcome.message)
    expect(outcome.report.entries).toBeGreaterThan(1)
    expect(await inspectDatabase(setup.environment)).toMatchObject({
      state: 'ok',
      counts: { stores: 1, sessions: 1, entries: outcome.report.entries },
      reader: null,
    })
  })

  it('says what to do about a damaged one', async () => {
    await ingestOnce(setup, env)
    const file = join(setup.environment.home, 'plimsoll.db')
    // Another file under its name: a connection that is closed late would write into the old one.
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    writeFileSync(file, 'this is no database, whatever its name is'.repeat(99))
    const { state, problem } = await inspectDatabase(setup.environment)
    expect(state).toBe('unreadable')
    expect(problem).toContain(`${file} is damaged`)
    expect(problem).not.toContain('openclaw')
  })
})
