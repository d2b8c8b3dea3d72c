import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/store-folder'
import { ensureToken, newSignInCode, readToken, secretHash, TokenError, tokenFile } from './token'

describe('the token of a state folder', () => {
  it('is made once, long and random, for its owner alone', () => {
    const home = join(temporaryFolder(), 'state')
    const token = ensureToken(home)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(statSync(tokenFile(home)).mode & 0o777).toBe(0o600)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(ensureToken(home)).toBe(token)
    expect(readToken(home)).toBe(token)
    expect(readdirSync(home)).toEqual(['token'])
    expect(ensureToken(join(temporaryFolder(), 'other'))).not.toBe(token)
  })

  it('is made where files cannot have two names', () => {
    const home = join(temporaryFolder(), 'state')
    const token = ensureToken(home, () => {
      throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
    })
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(readToken(home)).toBe(token)
    expect(statSync(tokenFile(home)).mode & 0o777).toBe(0o600)
    expect(readdirSync(home)).toEqual(['token'])
  })

  it('is that of another start that was first', () => {
    const home = join(temporaryFolder(), 'state')
    const first = 'a'.repeat(43)
    const token = ensureToken(home, (fresh, file) => {
      writeFileSync(file, `${first}\n`, { mode: 0o600 })
      linkSync(fresh, file)
    })
    expect(token).toBe(first)
    expect(readdirSync(home)).toEqual(['token'])
  })

  it('says why it cannot be made', () => {
    const home = join(temporaryFolder(), 'state')
    const makeFolder = (_: unknown, file: unknown) => {
      mkdirSync(join(String(file), 'x'), { recursive: true })
      throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' })
    }
    expect(() => ensureToken(home, makeFolder)).toThrow(TokenError)
    expect(readdirSync(home)).toEqual(['token'])
  })

  it('is none before the first start', () => {
    expect(readToken(temporaryFolder())).toBeNull()
  })

  it.each([0o640, 0o604, 0o666])('that others can read (%o) is none any more, and stays as it is', (mode) => {
    const home = temporaryFolder()
    ensureToken(home)
    chmodSync(tokenFile(home), mode)
    const before = readFileSync(tokenFile(home), 'utf8')
    expect(() => ensureToken(home)).toThrow(TokenError)
    expect(() => readToken(home)).toThrow('Remove it')
    expect(readFileSync(tokenFile(home), 'utf8')).toBe(before)
  })

  it('is no link and not empty', () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'elsewhere'), 'x'.repeat(40), { mode: 0o600 })
    symlinkSync(join(home, 'elsewhere'), tokenFile(home))
    expect(() => ensureToken(home)).toThrow(TokenError)
    const empty = temporaryFolder()
    writeFileSync(tokenFile(empty), '\n', { mode: 0o600 })
    expect(() => ensureToken(empty)).toThrow('damaged')
  })
})

describe('the code of a sign-in link', () => {
  it('is another one each time, and may be in an address', () => {
    const code = newSignInCode()
    expect(code).toMatch(/^[\w-]{32}$/)
    expect(newSignInCode()).not.toBe(code)
  })

  it('is kept as its SHA-256', () => {
    expect(secretHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
