import { describe, expect, it } from 'vitest'
import { checkRules } from './check-transcript'
import { asRefused, describeOwner, Refused, systemCode } from './refusal'
import { readOnlyReason, uncheckedReason, writableKind } from './writable'
import { writeRoot } from './write-root'

const failure = (code: unknown, message = 'said so') => Object.assign(new Error(message), { code })

describe('M5 what the file system says', () => {
  it.each([
    ['ENOSPC', 'no-space', /^\/s\/a: the disk is full \(said so\)/],
    ['EDQUOT', 'no-space', /the disk is full/],
    ['EFBIG', 'no-space', /the disk is full/],
    ['EACCES', 'read-only', /^\/s\/a: writing is not allowed \(said so\)/],
    ['EPERM', 'read-only', /writing is not allowed/],
    ['EROFS', 'read-only', /writing is not allowed/],
    ['ENOENT', 'missing', /^\/s\/a is not there/],
    ['ELOOP', 'not-a-file', /^\/s\/a is a symbolic link/],
    ['EXDEV', 'not-supported', /^\/s\/a: its folder spans two file systems \(said so\)/],
    ['EIO', 'failed', /^\/s\/a cannot be written: said so\.$/],
  ])('%s is refused as %s, and what was said goes with it', (code, refusal, words) => {
    const error = failure(code)
    const refused = asRefused(error, '/s/a')
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({
      name: 'Refused',
      cause: error,
      refusal: { code: refusal, message: expect.stringMatching(words) },
    })
  })

  it('that has no code is a fault, and a refusal stays what it is', () => {
    for (const error of [failure(undefined), failure(5), failure('ERR_X'), failure('xEIO'), 'EIO', null])
      expect([systemCode(error), asRefused(error, '/s/a')]).toEqual([null, error])
    const refused = Object.assign(new Refused('live', 'no'), { code: 'EIO' })
    expect(asRefused(refused, '/s/a')).toBe(refused)
  })
})

it('M4 an owner is named as far as it is known', () => {
  const owner = { pid: 7, since: 0, command: 'pi', via: 'run', evidence: 'the lock' } as const
  expect(describeOwner(owner)).toBe('process 7 (pi) since 1970-01-01T00:00:00.000Z, as the lock tells')
  const unknown = { ...owner, pid: null, since: null, command: null }
  expect(describeOwner(unknown)).toBe('another process, as the lock tells')
})

describe('M10 which runtimes’ sessions are written and checked', () => {
  const kinds = ['openclaw', 'pi', 'claude-code', 'codex', 'opencode'] as const

  it('those of OpenClaw and pi are compacted; of others there is a reason not to', () => {
    expect(kinds.filter((kind) => readOnlyReason({ kind }) === null)).toEqual(['openclaw', 'pi'])
    expect(readOnlyReason({ kind: 'codex' })).toMatch(/Codex’s/)
    expect([writableKind({ kind: 'pi' }), writableKind({ kind: 'openclaw' })]).toEqual(['pi', 'openclaw'])
    expect(() => writableKind({ kind: 'opencode' })).toThrow(/OpenCode’s/)
  })

  it('all but those in the database of OpenCode are checked, clients’ own by their own rules', () => {
    expect(kinds.filter((kind) => uncheckedReason({ kind }) !== null)).toEqual(['opencode'])
    expect(kinds.map((kind) => checkRules(kind, 'early'))).toEqual([
      ...['early', 'early', 'claude-code', 'codex', 'early'],
    ])
  })

  it('a write stays in the root of the store, or in the folder of the file that was named as one', () => {
    expect(writeRoot({ root: '/s' }, { path: '/s/b/a.jsonl' })).toBe('/s')
    expect(writeRoot({ root: '/s/a.jsonl' }, { path: '/s/a.jsonl' })).toBe('/s')
    const windows = String.raw`C:\s\a.jsonl`
    expect(writeRoot({ root: windows }, { path: windows })).toBe(String.raw`C:\s`)
  })
})
