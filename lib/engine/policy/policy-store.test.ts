import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { policyFiles, stampFiles } from '../../adapters/policy/policy-files'
import {
  hardLinkPolicy,
  LINKS,
  linkGuessedTemporaries,
  linkIncluded,
  OUTSIDE,
  swapFolder,
  victimIn,
} from '../../testing/hostile/linked-policy-files'
import { temporaryFolder } from '../../testing/store-folder'
import { loadDocument, type PolicyFiles, type PolicyPlace, saveDocument } from './policy-store'

const TEXT = '# ours\npolicy:\n  lines:\n    compact: { enabled: true, at: 0.5 }\n'

let folder: string
let place: PolicyPlace
let files: PolicyFiles
let now = 1_790_000_000_000
const clock = { now: () => now++ }

beforeEach(() => {
  folder = temporaryFolder()
  place = { path: join(folder, 'plimsoll.yaml'), role: 'own', storeId: null }
  files = policyFiles(join(folder, 'history'))
})

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

  it('writes no file that it would not read, and keeps no version for it', async () => {
    writeFileSync(place.path, TEXT)
    const before = snapshot()
    // Fewer characters than the bound, more bytes.
    const text = `${TEXT}# ${'é'.repeat(600_000)}\n`
    const problem = expect.stringMatching(
      /has 1200\d+ bytes; no configuration is larger than 1048576\. Take out/,
    )
    expect(await edit(() => text)).toEqual({ kind: 'refused', problem })
    const { hash } = await loadDocument(files, place)
    expect(await files.replace(place.path, text, hash)).toEqual({ kind: 'refused', problem })
    expect(snapshot()).toEqual(before)
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

describe('X8 policy files of a store that lead out of it', () => {
  let store: string
  let outside: string
  let file: string

  beforeEach(() => {
    store = join(folder, 'store')
    outside = join(folder, 'outside')
    for (const made of [store, outside]) mkdirSync(made)
    file = join(store, 'context-config.yaml')
    place = { path: file, role: 'store', storeId: 's', within: store }
  })

  /** Tries to save over what the document shows. */
  const save = (text: string, baseText = '') =>
    saveDocument(files, clock, place, { path: file, baseHash: files.hash(baseText), baseText, text })

  for (const [name, make] of Object.entries(LINKS))
    it(`${name}: it is named, neither shown nor written`, async () => {
      make(file, outside)
      const document = await loadDocument(files, place)
      expect(document).toMatchObject({ exists: true, writable: false, text: '', file: { patch: {} } })
      expect(document.file.problems).toMatchObject([{ severity: 'error', file, key: '' }])
      expect(document.file.problems[0]?.message).toMatch(
        /symbolic link, which is neither followed, shown nor/,
      )
      for (const base of ['', OUTSIDE])
        expect(await save(TEXT, base)).toMatchObject({
          kind: 'refused',
          problem: expect.stringContaining('symbolic link'),
        })
      expect(readFileSync(join(outside, 'private.txt'), 'utf8')).toBe(OUTSIDE)
      expect(lstatSync(file).isSymbolicLink()).toBe(true)
      expect(await files.versions(file)).toEqual([])
    })

  it('a second name of a file elsewhere: it is not written', async () => {
    const victim = hardLinkPolicy(file, outside)
    expect(await loadDocument(files, place)).toMatchObject({ exists: true, writable: false })
    expect(await save(TEXT, OUTSIDE)).toMatchObject({
      kind: 'refused',
      problem: expect.stringContaining('2 names'),
    })
    expect(readFileSync(victim, 'utf8')).toBe(OUTSIDE)
    expect(await files.versions(file)).toEqual([])
  })

  it('a folder between that is a link out of the store, and an included file behind one', async () => {
    const below = join(store, 'below')
    mkdirSync(below)
    swapFolder(below, outside)
    victimIn(outside)
    place = { ...place, path: join(below, 'private.txt') }
    const document = await loadDocument(files, place)
    expect(document.text).toBe('')
    expect(document.file.problems[0]?.message).toContain(`leads to ${outside}`)
    linkIncluded(store, outside)
    file = join(store, 'openclaw.json')
    place = { ...place, path: file }
    writeFileSync(file, '{ agents: { $include: "./parts/secret.json5" } }')
    const including = await loadDocument(files, place)
    expect(including.file.patch).toEqual({})
    expect(including.file.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^cannot include "\.\/parts\/secret\.json5": .*its folder is a link that leads to/,
      ),
    ])
  })

  it('links under the names that a temporary file might have: nothing is written through them', async () => {
    const victim = victimIn(outside)
    writeFileSync(file, TEXT, { mode: 0o640 })
    const text = TEXT.replace('0.5', '0.6')
    linkGuessedTemporaries(file, text, victim)
    expect(await save(text, TEXT)).toMatchObject({ kind: 'saved' })
    expect(readFileSync(victim, 'utf8')).toBe(OUTSIDE)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('a store whose own folder is reached by a link of the operator is read and written', async () => {
    symlinkSync(store, join(folder, 'named'))
    writeFileSync(file, TEXT)
    file = join(folder, 'named', 'context-config.yaml')
    place = { ...place, path: file, within: join(folder, 'named') }
    expect((await loadDocument(files, place)).text).toBe(TEXT)
    expect(await save(TEXT.replace('0.5', '0.6'), TEXT)).toMatchObject({ kind: 'saved' })
  })

  it('a file that is put in place while its successor is written is not replaced', async () => {
    writeFileSync(file, TEXT)
    const victim = victimIn(outside)
    const swapping: PolicyFiles = {
      ...files,
      keep: async (...args) => {
        const kept = await files.keep(...args)
        rmSync(file)
        symlinkSync(victim, file)
        return kept
      },
    }
    const input = { path: file, baseHash: files.hash(TEXT), baseText: TEXT, text: `${TEXT}# more\n` }
    expect((await saveDocument(swapping, clock, place, input)).kind).toBe('refused')
    expect(readFileSync(victim, 'utf8')).toBe(OUTSIDE)
    expect(readdirSync(store)).toEqual(['context-config.yaml'])
  })
})

it('X8 of the versions that are kept only ours are taken away', async () => {
  writeFileSync(place.path, TEXT)
  await edit((text) => `${text}# 1\n`)
  const [kept] = readdirSync(join(folder, 'history'))
  const history = join(folder, 'history', kept ?? '')
  for (let i = 0; i < 60; i++) writeFileSync(join(history, `${i}-0000000${i % 10}.yaml`), 'old')
  writeFileSync(join(history, '2026-notes.txt'), 'mine')
  mkdirSync(join(history, '1-00000000'))
  await edit((text) => `${text}# 2\n`)
  expect(readdirSync(history)).toEqual(expect.arrayContaining(['2026-notes.txt', '1-00000000']))
  expect(await files.versions(place.path)).toHaveLength(50)
})
