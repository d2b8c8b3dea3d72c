import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FoundStore } from '../../engine/read/ports'
import { temporaryFolder } from '../../testing/store-folder'
import { fingerprintRoot } from './store-fingerprint'

const INDEX_DATE = new Date('2026-11-01T08:00:00.000Z')

let root: string
let sessions: string
beforeEach(() => {
  root = temporaryFolder()
  sessions = join(root, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(sessions, 'a.jsonl'), '{}\n')
  writeFileSync(join(sessions, 'sessions.json'), '{}')
  utimesSync(join(sessions, 'sessions.json'), INDEX_DATE, INDEX_DATE)
  writeFileSync(join(root, 'openclaw.json'), '{}')
})

const openClaw = (): FoundStore => ({ id: 's', kind: 'openclaw', era: 'jsonl', root, label: '', state: 'ok' })
const pi = (): FoundStore => ({ ...openClaw(), kind: 'pi', root: join(root, 'pi') })
const later = (file: string) => utimesSync(file, new Date(), new Date(Date.now() + 5000))

describe('the fingerprint of a store', () => {
  it('is the same while nothing changes, and while only other files do', () => {
    const before = fingerprintRoot(openClaw())
    writeFileSync(join(sessions, 'a.jsonl.lock'), 'x')
    writeFileSync(join(sessions, 'a.trajectory.jsonl'), 'x')
    expect(fingerprintRoot(openClaw())).toBe(before)
    expect(before).not.toBeNull()
  })

  it.each<[string, () => void]>([
    ['a line is appended', () => appendFileSync(join(sessions, 'a.jsonl'), '{}\n')],
    ['a transcript appears', () => writeFileSync(join(sessions, 'b.jsonl'), '')],
    ['a transcript goes', () => rmSync(join(sessions, 'a.jsonl'))],
    ['the index is written', () => later(join(sessions, 'sessions.json'))],
    ['the configuration is written', () => later(join(root, 'openclaw.json'))],
    [
      'an agent appears',
      () => {
        mkdirSync(join(root, 'agents', 'two', 'sessions'), { recursive: true })
        writeFileSync(join(root, 'agents', 'two', 'sessions', 'c.jsonl'), '')
      },
    ],
    [
      'a catalogue of models appears',
      () => {
        mkdirSync(join(root, 'agents', 'main', 'agent'))
        writeFileSync(join(root, 'agents', 'main', 'agent', 'models.json'), '{}')
      },
    ],
    ['a permission changes', () => chmodSync(join(sessions, 'sessions.json'), 0o600)],
    ['the sessions of an agent go', () => renameSync(sessions, `${sessions}.away`)],
    [
      'other content of the same length and date is there',
      () => {
        const index = join(sessions, 'sessions.json')
        writeFileSync(index, '[]')
        utimesSync(index, INDEX_DATE, INDEX_DATE)
      },
    ],
  ])('is another one when %s', (_what, change) => {
    const before = fingerprintRoot(openClaw())
    change()
    expect(fingerprintRoot(openClaw())).not.toBe(before)
  })

  it('follows links', () => {
    writeFileSync(join(root, 'elsewhere.jsonl'), '{}\n')
    symlinkSync(join(root, 'elsewhere.jsonl'), join(sessions, 'link.jsonl'))
    const before = fingerprintRoot(openClaw())
    appendFileSync(join(root, 'elsewhere.jsonl'), '{}\n')
    expect(fingerprintRoot(openClaw())).not.toBe(before)
  })

  it('sees that a link leads elsewhere, also one to a folder', () => {
    const folders = ['one', 'two'].map((name) => join(root, name))
    for (const folder of folders) mkdirSync(folder)
    mkdirSync(join(root, 'agents', 'linked'))
    const link = join(root, 'agents', 'linked', 'sessions')
    const fingerprints = folders.map((folder) => {
      rmSync(link, { force: true })
      symlinkSync(folder, link)
      return fingerprintRoot(openClaw())
    })
    expect(fingerprints[0]).not.toBeNull()
    expect(fingerprints[1]).not.toBe(fingerprints[0])
  })

  it('sees a store appear among transcripts of others', () => {
    mkdirSync(join(root, 'pi', 'oc'), { recursive: true })
    const before = fingerprintRoot(pi())
    expect(before).not.toBeNull()
    writeFileSync(join(root, 'pi', 'oc', 'openclaw.json'), '{}')
    expect(fingerprintRoot(pi())).not.toBe(before)
  })

  it('takes in more files than it made room for', () => {
    for (let i = 0; i < 1100; i++) writeFileSync(join(sessions, `n${i}.jsonl`), '')
    const before = fingerprintRoot(openClaw())
    expect(fingerprintRoot(openClaw())).toBe(before)
    later(join(sessions, readdirSync(sessions).at(-1) ?? ''))
    expect(fingerprintRoot(openClaw())).not.toBe(before)
  })

  it('works for folders of transcripts too', () => {
    mkdirSync(join(root, 'pi', '--w--'), { recursive: true })
    writeFileSync(join(root, 'pi', '--w--', 'p.jsonl'), '{}\n')
    const before = fingerprintRoot(pi())
    expect(before).not.toBeNull()
    appendFileSync(join(root, 'pi', '--w--', 'p.jsonl'), '{}\n')
    expect(fingerprintRoot(pi())).not.toBe(before)
  })

  it('cannot be had of a store that is not there, or of a database', () => {
    expect(fingerprintRoot({ ...openClaw(), root: join(root, 'none') })).toBeNull()
    expect(fingerprintRoot({ ...openClaw(), era: 'sqlite' })).toBeNull()
  })
})
