import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/store-folder'
import { keptActionsKey } from './actions-key.mjs'

describe('the key of server actions', () => {
  it('is the same for all builds in a folder, and another one elsewhere', () => {
    const folder = temporaryFolder()
    const key = keptActionsKey(folder)
    expect(Buffer.from(key, 'base64')).toHaveLength(32)
    expect(keptActionsKey(folder)).toBe(key)
    expect(keptActionsKey(temporaryFolder())).not.toBe(key)
  })

  it('is for its owner alone', () => {
    const folder = temporaryFolder()
    const key = keptActionsKey(folder)
    const file = join(folder, 'cache', 'plimsoll-actions-key')
    expect(readFileSync(file, 'utf8')).toBe(key)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is made anew where what was kept is no key', () => {
    const folder = temporaryFolder()
    keptActionsKey(folder)
    writeFileSync(join(folder, 'cache', 'plimsoll-actions-key'), 'half a k')
    expect(Buffer.from(keptActionsKey(folder), 'base64')).toHaveLength(32)
  })
})
