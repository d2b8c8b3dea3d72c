import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FoundStore } from '../engine/ports'
import { glanceAt } from './glance'

let root: string
let sessions: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-glance-'))
  sessions = join(root, 'agents', 'main', 'sessions')
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(sessions, 'a.jsonl'), '{}\n')
  writeFileSync(join(sessions, 'sessions.json'), '{}')
  writeFileSync(join(root, 'openclaw.json'), '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const openClaw = (): FoundStore => ({ id: 's', kind: 'openclaw', era: 'jsonl', root, label: '', state: 'ok' })
const pi = (): FoundStore => ({ ...openClaw(), kind: 'pi', root: join(root, 'pi') })
const later = (file: string) => utimesSync(file, new Date(), new Date(Date.now() + 5000))

describe('a glance at a store', () => {
  it('is the same while nothing changes, and while only other files do', () => {
    const before = glanceAt(openClaw())
    writeFileSync(join(sessions, 'a.jsonl.lock'), 'x')
    writeFileSync(join(sessions, 'a.trajectory.jsonl'), 'x')
    expect(glanceAt(openClaw())).toBe(before)
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
  ])('is another one when %s', (_what, change) => {
    const before = glanceAt(openClaw())
    change()
    expect(glanceAt(openClaw())).not.toBe(before)
  })

  it('follows links', () => {
    writeFileSync(join(root, 'elsewhere.jsonl'), '{}\n')
    symlinkSync(join(root, 'elsewhere.jsonl'), join(sessions, 'link.jsonl'))
    const before = glanceAt(openClaw())
    appendFileSync(join(root, 'elsewhere.jsonl'), '{}\n')
    expect(glanceAt(openClaw())).not.toBe(before)
  })

  it('works for folders of transcripts too', () => {
    mkdirSync(join(root, 'pi', '--w--'), { recursive: true })
    writeFileSync(join(root, 'pi', '--w--', 'p.jsonl'), '{}\n')
    const before = glanceAt(pi())
    expect(before).not.toBeNull()
    appendFileSync(join(root, 'pi', '--w--', 'p.jsonl'), '{}\n')
    expect(glanceAt(pi())).not.toBe(before)
  })

  it('cannot be had of a store that is not there, or of a database', () => {
    expect(glanceAt({ ...openClaw(), root: join(root, 'none') })).toBeNull()
    expect(glanceAt({ ...openClaw(), era: 'sqlite' })).toBeNull()
  })
})
