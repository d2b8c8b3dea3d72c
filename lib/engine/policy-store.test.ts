import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { policyFiles, stampFiles } from '../adapters/policy-files'
import { loadDocument, type PolicyFiles, type PolicyPlace, saveDocument } from './policy-store'

const TEXT = '# ours\npolicy:\n  lines:\n    compact: { enabled: true, at: 0.5 }\n'

let folder: string
let place: PolicyPlace
let files: PolicyFiles
let now = 1_790_000_000_000
const clock = { now: () => now++ }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-policy-'))
  place = { path: join(folder, 'plimsoll.yaml'), role: 'own', storeId: null }
  files = policyFiles(join(folder, 'history'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function edit(change: (text: string) => string) {
  const document = await loadDocument(files, place)
  const input = {
    path: place.path,
    baseHash: document.hash,
    baseText: document.text,
    text: change(document.text),
  }
  return saveDocument(files, clock, place, input)
}

/** Everything in the folder with its content: equal means that nothing was written. */
function snapshot(): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .sort()
    .map(
      (name) =>
        `${name} ${statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'utf8') : ''}`,
    )
}

describe('a configuration file of a store that cannot be read', () => {
  it('is a problem of that file, and of no other', async () => {
    const store: PolicyPlace = { path: join(folder, 'openclaw.json'), role: 'store', storeId: 's' }
    mkdirSync(store.path)
    const document = await loadDocument(files, store)
    expect(document).toMatchObject({ exists: true, writable: false, text: '' })
    expect(document.file.problems).toMatchObject([{ severity: 'error', file: store.path, key: '' }])
    expect(document.file.problems[0]?.message).toContain('is not a file')
    expect(stampFiles([store.path, join(store.path, 'x')])).toMatch(/^\d+ .*\n-$/)
  })

  it('is nothing where the folder is none, or a loop', async () => {
    writeFileSync(place.path, TEXT)
    const below = join(place.path, 'openclaw.json')
    expect((await loadDocument(files, { path: below, role: 'store', storeId: 's' })).exists).toBe(false)
    symlinkSync('loop', join(folder, 'loop'))
    expect(stampFiles([join(folder, 'loop', 'openclaw.json')])).toBe('ELOOP')
  })
})

describe('X8 saving a policy file', () => {
  it('keeps the old version, replaces the file, and leaves no temporary file behind', async () => {
    writeFileSync(place.path, TEXT, { mode: 0o640 })
    const saved = await edit((text) => text.replace('0.5', '0.6'))
    expect(saved).toMatchObject({
      kind: 'saved',
      document: { file: { patch: { lines: { compact: { at: 0.6 } } } } },
    })
    expect(readFileSync(place.path, 'utf8')).toBe(TEXT.replace('0.5', '0.6'))
    expect(statSync(place.path).mode & 0o777).toBe(0o640)
    expect(readFileSync((saved.kind === 'saved' && saved.backup) || '', 'utf8')).toBe(TEXT)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('makes a file that is not there yet, with its folder', async () => {
    place = { ...place, path: join(folder, 'new', 'plimsoll.yaml') }
    expect(await loadDocument(files, place)).toMatchObject({ exists: false, text: '', writable: true })
    expect(await edit(() => TEXT)).toMatchObject({ kind: 'saved', backup: null })
    expect(readFileSync(place.path, 'utf8')).toBe(TEXT)
  })

  it('goes back to any version, byte for byte', async () => {
    writeFileSync(place.path, TEXT)
    await edit((text) => text.replace('0.5', '0.6'))
    await edit((text) => text.replace('0.6', '0.7'))
    const versions = await files.versions(place.path)
    expect(versions).toHaveLength(2)
    const first = await files.version(place.path, versions[1]?.id ?? '')
    expect(first).toBe(TEXT)
    expect(await edit(() => first ?? '')).toMatchObject({ kind: 'saved' })
    expect(readFileSync(place.path, 'utf8')).toBe(TEXT)
    expect(await files.version(place.path, '../../plimsoll.yaml')).toBeNull()
  })

  it('says that nothing changed, and writes nothing', async () => {
    writeFileSync(place.path, TEXT)
    const before = snapshot()
    expect(await edit((text) => text)).toEqual({ kind: 'unchanged' })
    expect(snapshot()).toEqual(before)
  })

  it('refuses when another hand changed the file, with all three versions', async () => {
    writeFileSync(place.path, TEXT)
    const document = await loadDocument(files, place)
    const theirs = TEXT.replace('0.5', '0.4')
    writeFileSync(place.path, theirs)
    const before = snapshot()
    const mine = TEXT.replace('0.5', '0.6')
    const input = { path: place.path, baseHash: document.hash, baseText: document.text, text: mine }
    expect(await saveDocument(files, clock, place, input)).toEqual({
      kind: 'changed',
      base: TEXT,
      mine,
      theirs,
    })
    expect(snapshot()).toEqual(before)
  })

  it('refuses values that are not allowed or contradict each other, with key and line', async () => {
    writeFileSync(place.path, TEXT)
    const before = snapshot()
    expect(await edit((text) => text.replace('0.5', '5'))).toMatchObject({
      kind: 'invalid',
      problems: [{ severity: 'error', file: place.path, line: 4, key: 'policy.lines.compact.at' }],
    })
    expect(await edit((text) => text.replace('0.5', '0.9'))).toMatchObject({
      kind: 'invalid',
      problems: [
        { line: 4, key: 'policy.lines.compact.at', message: expect.stringMatching(/above the hard limit/) },
      ],
    })
    expect(snapshot()).toEqual(before)
  })

  it('refuses a read-only file and says what to do', async () => {
    writeFileSync(place.path, TEXT)
    chmodSync(place.path, 0o444)
    const outcome = await edit((text) => text.replace('0.5', '0.6'))
    expect(outcome).toMatchObject({
      kind: 'refused',
      problem: expect.stringMatching(/read-only; change its mode/),
    })
    expect(await files.versions(place.path)).toEqual([])
    expect(readFileSync(place.path, 'utf8')).toBe(TEXT)
  })

  it('follows a link to the file that it names', async () => {
    const target = join(folder, 'target.yaml')
    writeFileSync(target, TEXT)
    symlinkSync(target, place.path)
    expect(await edit((text) => text.replace('0.5', '0.6'))).toMatchObject({ kind: 'saved' })
    expect(readFileSync(target, 'utf8')).toContain('0.6')
    expect(readFileSync(place.path, 'utf8')).toContain('0.6')
  })

  it('does not take a folder or a huge file for a configuration', async () => {
    mkdirSync(place.path)
    await expect(loadDocument(files, place)).rejects.toThrow(/is not a file/)
    rmSync(place.path, { recursive: true })
    writeFileSync(place.path, '#'.repeat(5 * 1024 * 1024))
    await expect(loadDocument(files, place)).rejects.toThrow(/no configuration is larger/)
  })

  it('reads includes beside the file and never outside of its folder', async () => {
    place = { ...place, path: join(folder, 'openclaw.json') }
    writeFileSync(join(folder, 'agents.json5'), '{ defaults: { compaction: { keepRecentTokens: 9000 } } }')
    writeFileSync(place.path, '{ agents: { $include: ["./agents.json5", "../secret.json", "/etc/passwd"] } }')
    const { file } = await loadDocument(files, place)
    expect(file.patch).toEqual({ compaction: { keepRecentTokens: 9000 } })
    expect(file.problems.map((problem) => problem.message)).toEqual([
      'cannot include "../secret.json"',
      'cannot include "/etc/passwd"',
    ])
    expect(existsSync(join(folder, 'history'))).toBe(false)
  })
})
