import { readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { renameWithRetry } from './rename-with-retry'

/** Fails so many times before it renames; notes the pauses between. */
function failing(times: number, code: string, platform: NodeJS.Platform) {
  const folder = temporaryFolder()
  writeFiles(folder, { new: 'new', old: 'old' })
  const pauses: number[] = []
  let calls = 0
  const renamed = renameWithRetry(
    async (from, to) => {
      calls += 1
      if (calls <= times) throw Object.assign(new Error(`${code}: busy`), { code })
      await rename(from, to)
    },
    platform,
    async (ms) => pauses.push(ms),
  )
  const done = renamed(join(folder, 'new'), join(folder, 'old')).then(
    () => 'done',
    (error: Error) => error.message,
  )
  return done.then((outcome) => ({
    outcome,
    calls,
    pauses,
    text: readFileSync(join(folder, 'old'), 'utf8'),
  }))
}

describe('M9 a rename that Windows refuses', () => {
  it.each(['EPERM', 'EBUSY', 'EACCES'])('M9 is tried five times, 50 ms apart, after %s', async (code) => {
    expect(await failing(4, code, 'win32')).toEqual({
      outcome: 'done',
      calls: 5,
      pauses: [50, 50, 50, 50],
      text: 'new',
    })
  })

  it('M9 fails with what was said at last, and the old file is whole', async () => {
    expect(await failing(9, 'EBUSY', 'win32')).toMatchObject({
      outcome: 'EBUSY: busy',
      calls: 5,
      text: 'old',
    })
  })

  it('M9 other errors, and other systems, are not tried again', async () => {
    expect(await failing(1, 'ENOSPC', 'win32')).toMatchObject({ calls: 1, text: 'old' })
    expect(await failing(1, 'EACCES', 'linux')).toMatchObject({ calls: 1, text: 'old' })
  })
})
