import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { ensureProofKey, findProofKey, keyPath } from './proof-key'

/** A state folder with a key. */
function keyed() {
  const home = temporaryFolder()
  const { keyId } = ensureProofKey(home, 0)
  return { home, path: keyPath(home), keyId, mode: () => statSync(keyPath(home)).mode & 0o777 }
}

// Windows has neither owners nor such bits.
describe.skipIf(process.platform === 'win32')('X17 the key that receipts are signed with', () => {
  it('is made for its owner alone', () => {
    expect(keyed().mode()).toBe(0o600)
  })

  it.each([0o644, 0o640, 0o604])('is closed to others where they could read it: mode %o', (mode) => {
    const { home, path, keyId, ...key } = keyed()
    chmodSync(path, mode)
    expect(findProofKey(home)?.keyId).toBe(keyId)
    expect(key.mode()).toBe(0o600)
  })

  it.each([0o620, 0o602, 0o666])(
    'is refused where others could write it, and stays as it is: mode %o',
    (mode) => {
      const { home, path, ...key } = keyed()
      const text = readFileSync(path, 'utf8')
      chmodSync(path, mode)
      for (const use of [() => findProofKey(home), () => ensureProofKey(home, 1)])
        expect(use).toThrow(/proof\.key.*other accounts could write it\. Move it away/)
      expect([key.mode(), readFileSync(path, 'utf8')]).toEqual([mode, text])
    },
  )

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)('is refused when it belongs to another account', () => {
    const { home, path } = keyed()
    chownSync(path, 65_534, 65_534)
    for (const use of [() => findProofKey(home), () => ensureProofKey(home, 1)])
      expect(use).toThrow(/belongs to another account \(number 65534\)\. Move it away/)
    expect(statSync(path).uid).toBe(65_534)
  })
})
