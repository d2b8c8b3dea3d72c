import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { LOG_KINDS, type LogKind } from '../../core/logs/log-kinds'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { LogFollower } from '../../engine/logs/follow-logs'
import type { BrokenLine, LoggedRecord } from '../../engine/logs/log-ports'
import { IN_THE_WAY } from '../../testing/hostile/foreign-rotated-logs'
import { temporaryFolder } from '../../testing/store-folder'
import { appendLog } from './append-log'
import { fileContextLog } from './file-context-log'
import { logReader } from './log-reader'
import { openContextLog } from './open-context-log'

let home: string
let folder: string
beforeEach(() => {
  home = temporaryFolder()
  folder = join(home, 'logs', 'context')
})

const AT = Date.parse('2026-02-02T22:55:00Z')
const log = (kinds: readonly LogKind[] = LOG_KINDS, maxBytes = 1e6, keep = 3) =>
  fileContextLog({ folder, kinds, clock: { now: () => AT }, rotation: { maxBytes, keep } })
const drops = () => join(folder, 'drops.jsonl')

async function readAll(follower: LogFollower) {
  const records: LoggedRecord[] = []
  const broken: BrokenLine[] = []
  for await (const batch of follower.read()) {
    records.push(...batch.records)
    broken.push(...batch.broken)
  }
  return {
    records,
    broken,
    ids: records.map(({ record }) => (record.kind === 'drops' ? record.chunkId : '')),
  }
}

describe('Q1 logs that are written', () => {
  it('makes a file per kind, for its owner alone, and none for a kind that is switched off', async () => {
    const some = log(['drops', 'health'])
    expect(await some.add('drops', { chunkId: 'a' })).toBeNull()
    expect(await some.add('health', { currentTokens: 5 })).toBeNull()
    expect(await some.add('compaction', { tokensBefore: 1 })).toBeNull()
    expect(readdirSync(folder).sort()).toEqual(['context-health.jsonl', 'drops.jsonl'])
    expect(statSync(drops()).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.each(['compaction', 'curation', 'drops', 'recovery'] as const)(
    'Q1 the switch of the policy for %s is for its file alone',
    async (kind) => {
      const namesOf = async (on: boolean) => {
        rmSync(folder, { recursive: true, force: true })
        const opened = openContextLog({ logs: { ...DEFAULT_POLICY.logs, path: folder, [kind]: on } })
        for (const each of LOG_KINDS) expect(await opened.add(each, {})).toBeNull()
        return readdirSync(folder)
      }
      const all = await namesOf(true)
      expect(all).toHaveLength(LOG_KINDS.length)
      expect(await namesOf(false)).toEqual(all.filter((name) => name !== `${kind}.jsonl`))
    },
  )

  it('Q10 covers credentials', async () => {
    const secret = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')
    await log().add('curation', { query: secret })
    expect(readFileSync(join(folder, 'curation.jsonl'), 'utf8')).not.toContain(secret)
  })

  it('ends a line that was cut short before it begins its own', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(drops(), '{"chunk_id":"torn')
    await log().add('drops', { chunkId: 'a' })
    const { ids, broken } = await readAll(new LogFollower(logReader([folder])))
    expect([ids, broken.map(({ line }) => line)]).toEqual([['a'], [1]])
  })

  it('V4 says what is wrong and the agent goes on when it cannot write', async () => {
    writeFileSync(join(home, 'logs'), 'a file where the folder should be')
    expect(await log().add('drops', { chunkId: 'a' })).toMatch(/drops\.jsonl could not be written: /)
  })

  it('follows no link', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(home, 'victim'), 'x\n')
    symlinkSync(join(home, 'victim'), drops())
    expect(await log().add('drops', { chunkId: 'a' })).toMatch(/could not be written/)
    expect(readFileSync(join(home, 'victim'), 'utf8')).toBe('x\n')
  })

  it('puts a file aside that grows too large, and keeps so many', async () => {
    const small = log(LOG_KINDS, 150, 2)
    for (const id of 'abcdefgh') await small.add('drops', { chunkId: id })
    expect(readdirSync(folder).sort()).toEqual(['drops.jsonl', 'drops.jsonl.1', 'drops.jsonl.2'])
    const { ids } = await readAll(new LogFollower(logReader([folder])))
    expect('abcdefgh'.endsWith(ids.join(''))).toBe(true)
    expect(ids.length).toBeGreaterThanOrEqual(3)
  })

  for (const { what, age, make } of IN_THE_WAY)
    it(`Q1 puts nothing aside over ${what}: the log grows on, and that is reported`, async () => {
      mkdirSync(folder, { recursive: true })
      make(drops(), temporaryFolder())
      const names = readdirSync(folder)
      const seen = lstatSync(`${drops()}.${age}`)
      const small = log(LOG_KINDS, 150, 2)
      const answers: (string | null)[] = []
      for (const id of 'abcdefgh') answers.push(await small.add('drops', { chunkId: id }))
      expect(answers.filter((answer) => answer !== null)[0]).toContain(`${drops()}.${age} is no log`)
      expect(readdirSync(folder).sort()).toEqual([...names, 'drops.jsonl'].sort())
      expect(lstatSync(`${drops()}.${age}`)).toMatchObject({ ino: seen.ino, size: seen.size })
      expect(readFileSync(drops(), 'utf8').trimEnd().split('\n')).toHaveLength(8)
    })

  it('Q1 takes no file for the mark of a rotation that somebody wrote', () => {
    mkdirSync(folder, { recursive: true })
    const mark = `${drops()}.rotating`
    writeFileSync(mark, 'mine')
    utimesSync(mark, 1, 1)
    for (const id of 'abc') appendLog(drops(), [`{"chunk_id":"${id}"}`], { maxBytes: 10, keep: 2 })
    expect(readFileSync(mark, 'utf8')).toBe('mine')
  })

  it('goes on appending while another process puts the file aside, and after one that crashed at it', () => {
    mkdirSync(folder, { recursive: true })
    const mark = `${drops()}.rotating`
    writeFileSync(mark, '')
    for (const id of 'abc') appendLog(drops(), [`{"chunk_id":"${id}"}`], { maxBytes: 10, keep: 2 })
    expect(readdirSync(folder).sort()).toEqual(['drops.jsonl', 'drops.jsonl.rotating'])
    utimesSync(mark, 1, 1)
    for (const id of 'de') appendLog(drops(), [`{"chunk_id":"${id}"}`], { maxBytes: 10, keep: 2 })
    expect(readFileSync(`${drops()}.1`, 'utf8').split('\n')).toHaveLength(5)
    expect(existsSync(mark)).toBe(false)
  })
})

describe('X14 logs that are read', () => {
  it('counts broken lines with their numbers, and they never stop the rest', async () => {
    mkdirSync(folder, { recursive: true })
    const good = (id: string) => `{"chunk_id":"${id}"}`
    const bad = fc.constantFrom('{', 'null', '[]', '{"chunk_id":1}', 'x'.repeat(2_000), '\u0000', '"a"')
    const line = fc.oneof(
      fc
        .string({ unit: 'grapheme', maxLength: 8 })
        .map((id) => ({ id, text: JSON.stringify({ chunk_id: id }) })),
      bad.map((text) => ({ id: null, text })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        writeFileSync(drops(), lines.map(({ text }) => `${text}\n`).join(''))
        const { ids, broken } = await readAll(new LogFollower(logReader([folder])))
        expect(ids).toEqual(lines.flatMap(({ id }) => (id === null ? [] : [id])))
        // A line of nothing but a NUL is blank.
        const wrong = lines.flatMap(({ id, text }, i) => (id === null && text !== '\u0000' ? [i + 1] : []))
        expect(broken.map((each) => each.line)).toEqual(wrong)
      }),
      { numRuns: 60 },
    )
    writeFileSync(drops(), `${good('a')}\n{"chunk_id":"${'y'.repeat(1_100_000)}"}\n${good('b')}\n`)
    const { ids, broken } = await readAll(new LogFollower(logReader([folder])))
    expect(ids).toEqual(['a', 'b'])
    expect(broken).toMatchObject([{ line: 2, problem: expect.stringMatching(/lines over/) }])
  })

  test('what is written is read back, whatever was cut where', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.constant('\u2028👩‍🚀')), fc.nat(30)),
          { maxLength: 12 },
        ),
        async (entries) => {
          rmSync(folder, { recursive: true, force: true })
          const follower = new LogFollower(logReader([folder]))
          const seen: (string | null)[] = []
          const small = log(LOG_KINDS, 400, 20)
          for (const [chunkId, when] of entries) {
            await small.add('drops', { chunkId })
            if (when < 10) seen.push(...(await readAll(follower)).ids)
          }
          seen.push(...(await readAll(follower)).ids)
          expect(seen).toEqual(entries.map(([chunkId]) => chunkId))
        },
      ),
      { numRuns: 25 },
    )
  })

  it('waits for the end of a torn last line', async () => {
    mkdirSync(folder, { recursive: true })
    const follower = new LogFollower(logReader([folder]))
    const line = '{"chunk_id":"a"}\n'
    for (const [i, byte] of [...line].entries()) {
      appendFileSync(drops(), byte)
      const { ids, broken } = await readAll(follower)
      expect([ids, broken]).toEqual([i === line.length - 1 ? ['a'] : [], []])
    }
  })

  it('starts over when a file was emptied or replaced', async () => {
    const follower = new LogFollower(logReader([folder]))
    await log().add('drops', { chunkId: 'first' })
    await readAll(follower)
    truncateSync(drops(), 0)
    await log().add('drops', { chunkId: 'b' })
    expect((await readAll(follower)).ids).toEqual(['b'])
    expect((await readAll(follower)).ids).toEqual([])
  })

  it('reads both names of the health log, and says what it cannot read', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'health.jsonl'), '{"event":"message","token_count":7}\n')
    writeFileSync(join(folder, 'context-health.jsonl'), '{"current_tokens":8}\n')
    writeFileSync(join(home, 'elsewhere'), '{"chunk_id":"a"}\n')
    symlinkSync(join(home, 'elsewhere'), drops())
    const follower = new LogFollower(logReader([folder, join(home, 'nowhere')]))
    const { records } = await readAll(follower)
    expect(records.map(({ record }) => record.kind === 'health' && record.currentTokens).sort()).toEqual([
      7, 8,
    ])
    expect(follower.problems).toEqual([{ file: drops(), problem: expect.stringMatching(/leads out/) }])
  })
})
