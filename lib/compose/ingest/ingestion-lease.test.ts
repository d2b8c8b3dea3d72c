import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../testing/database'
import { takeIngestion } from './ingestion'

/** Modes of the lease while it is held, and of what says who holds it. */
async function modesWhileHeld(database: string): Promise<number[]> {
  const taken = await takeIngestion(database, false)
  if (!taken.held) throw new Error('another one holds it')
  const modes = ['', '.json'].map((ending) => statSync(`${database}.lease${ending}`).mode & 0o777)
  taken.ingestion.close()
  return modes
}

/** Unlike `access`, by the account that the process acts as. */
function canSee(path: string): boolean {
  try {
    statSync(path)
    return true
  } catch {
    return false
  }
}

describe.skipIf(process.platform === 'win32')('the lease of an import', () => {
  it('is its owner’s alone, also where others could read it before', async () => {
    const { file, destroy } = createTestDatabase()
    onTestFinished(destroy)
    expect(await modesWhileHeld(file)).toEqual([0o600, 0o600])
    chmodSync(`${file}.lease`, 0o644)
    expect(await modesWhileHeld(file)).toEqual([0o600, 0o600])
  })

  // Only root can act as another account, and only from a process's main thread.
  it.skipIf(process.getuid?.() !== 0 || !isMainThread)(
    'is taken where its file belongs to another account',
    async ({ skip }) => {
      const { file, folder, destroy } = createTestDatabase()
      onTestFinished(destroy)
      writeFileSync(`${file}.lease`, '')
      // With what SQLite keeps beside the database.
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666)
      chmodSync(folder, 0o777)
      process.seteuid?.(65_534)
      try {
        skip(!canSee(file), 'the folder for temporary files is closed to other accounts')
        expect(await modesWhileHeld(file)).toEqual([0o666, 0o600])
      } finally {
        process.seteuid?.(0)
      }
    },
  )
})
