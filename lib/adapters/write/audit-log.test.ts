import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../engine/write/receipt'
import { ALTERED_LOGS } from '../../testing/hostile/altered-audit-log'
import { temporaryFolder } from '../../testing/store-folder'
import { TEST_PROVER } from '../../testing/test-writer'
import { sessionLocks } from '../locks/session-locks'
import { checkAuditLog } from './check-audit-log'
import { fileAuditLog } from './file-audit-log'
import { nodeWriteFiles } from './node-write-files'
import { prover } from './proof-key'
import { sha256 } from './sha256'

const receipt = (id: string, reason = 'Größe 🐚'): Receipt => ({
  ...{ id, kind: 'repair', at: 1_790_000_000_000, actor: 'test', reason, session: null, root: '/s' },
  ...{ store: 'pi', files: [], summary: {}, state: 'done', undoneBy: null, undoes: null },
  ...{ problem: null, verified: true },
})

function world(options: { maxBytes?: number; prover?: typeof TEST_PROVER } = {}) {
  const folder = join(temporaryFolder(), 'logs')
  mkdirSync(folder)
  const own = { prover: TEST_PROVER, ...options }
  const open = (more: Partial<typeof own> = {}) =>
    fileAuditLog({ files: nodeWriteFiles, sha256, locks: sessionLocks(), ...own, ...more }, folder)
  const write = async (...ids: string[]) => {
    for (const id of ids) await open().add(receipt(id))
  }
  const check = (by = own.prover) => checkAuditLog({ files: nodeWriteFiles, prover: by }, folder)
  const file = join(folder, 'audit.jsonl')
  return { folder, file, open, write, check, text: () => readFileSync(file, 'utf8') }
}

describe('X17 the log of writes', () => {
  test('is a chain: each line has the hash of the one before and proves itself', async () => {
    const { write, check, text, file } = world()
    await write('a', 'b', 'c')
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ receipt, seq }) => [receipt, seq])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ])
    expect(await check()).toEqual({
      ...{ ok: true, files: [file], chained: 3, torn: 0, older: 0, broken: null, problems: [] },
      receipts: new Set(['a', 'b', 'c']),
    })
  })

  for (const [name, { alter, line }] of Object.entries(ALTERED_LOGS))
    test(`${name}: that shows, and no later line hides it`, async () => {
      const { write, check, file, text, folder } = world()
      await write('a', 'b', 'c', 'd', 'e')
      writeFileSync(file, alter(text().trimEnd().split('\n')))
      const expectShown = async () => {
        const found = await check()
        expect(found.ok).toBe(false)
        if (line === 'end') expect([found.broken, found.problems]).not.toEqual([null, []])
        else expect(found.broken).toMatchObject({ file, line })
      }
      if (line === 'end')
        expect((await check()).problems).toEqual([expect.stringMatching(/Lines are missing at its end/)])
      await expectShown()
      await write('f', 'g')
      await expectShown()
      expect(readdirSync(folder).sort()).toEqual(['audit.head.json', 'audit.jsonl'])
    })

  test('an altered log is not chained anew by one without the key', async () => {
    const { write, check, file, text, open } = world()
    await write('a', 'b')
    const foreign = prover(new Uint8Array(32).fill(9), 0)
    writeFileSync(file, text().replace('"test"', '"root"'))
    await open({ prover: foreign }).add(receipt('c'))
    expect((await check()).broken).toMatchObject({ line: 1 })
  })

  test('lines from before it was chained are unchanged, or that shows', async () => {
    const { write, check, file, text } = world()
    const before = '{"at":1,"receipt":"old1","state":"done"}\n{"at":2,"receipt":"old2","state":"done"}\n'
    writeFileSync(file, before)
    expect(await check()).toMatchObject({ ok: true, older: 2, chained: 0 })
    await write('a', 'b')
    expect(text().startsWith(before)).toBe(true)
    expect(await check()).toMatchObject({
      ok: true,
      older: 2,
      chained: 2,
      receipts: new Set(['old1', 'old2', 'a', 'b']),
    })
    for (const [from, to] of [
      ['old2', 'old3'],
      ['{"at":1,"receipt":"old1","state":"done"}\n', ''],
    ] as const) {
      writeFileSync(file, text().replace(from, to))
      const { ok, broken } = await check()
      expect([ok, broken?.why]).toEqual([
        false,
        expect.stringMatching(/lines? before it was changed, added or taken away/),
      ])
    }
  })

  test('what a crash cut short stays, is ended, and is no break', async () => {
    for (const torn of ['{"at":1,"rece', '\0\0\0\0', Buffer.from('{"reason":"Grö').subarray(0, -1)]) {
      const { write, check, file, text } = world()
      await write('a')
      writeFileSync(file, Buffer.concat([Buffer.from(text()), Buffer.from(torn)]))
      expect(await check()).toMatchObject({ ok: true, torn: 1 })
      await write('b')
      expect(await check()).toMatchObject({ ok: true, torn: 1, chained: 2 })
      writeFileSync(file, readFileSync(file).subarray(0, -1))
      await write('c')
      expect(await check()).toMatchObject({ ok: true, torn: 1, chained: 3 })
    }
    const { write, check, file } = world()
    writeFileSync(file, '{"at":1,"receipt":"old')
    await write('a', 'b')
    expect(await check()).toMatchObject({ ok: true, older: 1, chained: 2 })
  })

  test('a long log is put aside whole, and the chain goes on', async () => {
    const { write, check, folder, file } = world({ maxBytes: 600 })
    const ids = Array.from({ length: 12 }, (_, i) => `r${i}`)
    await write(...ids)
    const names = readdirSync(folder).filter((name) => /^audit\.\d+\.jsonl$/.test(name))
    expect(names.length).toBeGreaterThan(3)
    const found = await check()
    expect(found).toMatchObject({ ok: true, chained: 12, receipts: new Set(ids) })
    // After a crash that came between putting aside and the next line.
    writeFileSync(join(folder, `audit.${names.length + 1}.jsonl`), readFileSync(file))
    rmSync(file)
    await write('last')
    expect(await check()).toMatchObject({ ok: true, chained: 13 })
    const second = join(folder, 'audit.2.jsonl')
    const kept = readFileSync(second, 'utf8')
    writeFileSync(second, kept.replace('"test"', '"root"'))
    expect((await check()).broken).toMatchObject({ file: second, line: 1 })
    rmSync(second)
    expect((await check()).broken).toMatchObject({ why: expect.stringContaining('missing') })
  })

  test('lines that are longer than the first look at its end', async () => {
    const { open, check, write } = world()
    for (const [id, size] of [
      ['a', 70_000],
      ['b', 600_000],
      ['c', 10],
    ] as const)
      await open().add(receipt(id, 'ü'.repeat(size)))
    await write('d')
    expect(await check()).toMatchObject({ ok: true, chained: 4 })
  })

  test('many writers at once: no line is lost, none mixed, the chain whole', async () => {
    const { open, check } = world()
    const ids = Array.from({ length: 20 }, (_, i) => `r${i}`)
    await Promise.all(ids.map((id) => open().add(receipt(id))))
    expect(await check()).toMatchObject({ ok: true, chained: 20, receipts: new Set(ids) })
  })

  test('without what tells how far it had come, or with one of another hand, that is said', async () => {
    const { write, check, folder } = world()
    await write('a', 'b')
    const head = join(folder, 'audit.head.json')
    const kept = readFileSync(head, 'utf8')
    for (const text of [kept.replace('"seq":2', '"seq":1'), 'x', '{}']) {
      writeFileSync(head, text)
      expect(await check()).toMatchObject({
        ok: false,
        problems: [expect.stringContaining('changed by another')],
      })
    }
    rmSync(head)
    expect(await check()).toMatchObject({ ok: false, problems: [expect.stringContaining('is gone')] })
    // One who cuts the end off may take that away, too; the next line does not make up for it.
    await write('c')
    expect(await check()).toMatchObject({ ok: false, broken: { line: 3 } })
  })

  test('that it is gone is said from the first line on, also after a crash before it was brought up to date', async () => {
    const { write, check, folder } = world()
    const head = join(folder, 'audit.head.json')
    await write('a')
    const kept = readFileSync(head)
    rmSync(head)
    expect(await check()).toMatchObject({ ok: false, problems: [expect.stringContaining('is gone')] })
    writeFileSync(head, kept)
    expect((await check()).ok).toBe(true)

    const crashed = world()
    const crash = { ...nodeWriteFiles, openEnd: () => Promise.reject(new Error('power cut')) }
    const io = { files: crash, sha256, locks: sessionLocks(), prover: TEST_PROVER }
    await expect(fileAuditLog(io, crashed.folder).add(receipt('a'))).rejects.toThrow('power cut')
    expect(readdirSync(crashed.folder)).toContain('audit.head.json')
    expect(await crashed.check()).toMatchObject({ ok: true, chained: 0 })
  })

  test('a line that was written once is not put in the place of another one', async () => {
    const { write, check, folder, file, text } = world()
    const head = join(folder, 'audit.head.json')
    await write('a', 'b')
    const before = [text(), readFileSync(head, 'utf8')] as const
    await write('c')
    const first = text()
    // The same place in the chain, taken by another line of ours.
    writeFileSync(file, before[0])
    writeFileSync(head, before[1])
    await write('d')
    expect((await check()).ok).toBe(true)
    const second = text()
    const other = [expect.stringContaining('Line number 3 is another one than the last one that was written')]
    writeFileSync(file, first)
    expect(await check()).toMatchObject({ ok: false, broken: null, problems: other })
    // Lines behind it, which another process adds while we read, change nothing in that.
    const third = readFileSync(head, 'utf8')
    for (const [begin, ok] of [
      [first, false],
      [second, true],
    ] as const) {
      writeFileSync(file, begin)
      await write('e')
      writeFileSync(head, third)
      expect((await check()).ok).toBe(ok)
    }
  })

  test('crashes between a line and its record are no break', async () => {
    const { write, check, folder, open } = world()
    await write('a')
    const head = join(folder, 'audit.head.json')
    const kept = readFileSync(head)
    for (const id of ['b', 'c']) {
      await open().add(receipt(id))
      writeFileSync(head, kept)
      expect(await check()).toMatchObject({ ok: true })
    }
    await write('d')
    expect(await check()).toMatchObject({ ok: true, chained: 4 })
  })

  test('with a new key the lines before count as from before; without one nothing is proved', async () => {
    const { open, write, check, folder } = world()
    await write('a', 'b')
    expect(await checkAuditLog({ files: nodeWriteFiles, prover: null }, folder)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('key of this state folder is gone')],
    })
    const other = prover(new Uint8Array(32).fill(9), 0)
    expect(await check(other)).toMatchObject({ ok: false })
    await open({ prover: other }).add(receipt('c'))
    await open({ prover: other }).add(receipt('d'))
    expect(await check(other)).toMatchObject({ ok: true, older: 2, chained: 2 })
  })

  test('others in the process get their turns while a long log is checked', async () => {
    const { write, folder, file, text } = world()
    writeFileSync(file, '{"at":1,"receipt":"old","state":"done"}\n'.repeat(5_000))
    await write('a')
    const bytes = Buffer.from(text())
    const head = readFileSync(join(folder, 'audit.head.json'))
    const seen = await nodeWriteFiles.stat(file)
    // Files that answer at once, so that only the check itself gives turns.
    const files = {
      ...nodeWriteFiles,
      list: async () => ['audit.jsonl'],
      look: async () => seen,
      read: async function* (path: string) {
        yield path === file ? bytes : head
      },
    }
    let turns = 0
    let next = setImmediate(function turn() {
      turns += 1
      next = setImmediate(turn)
    })
    const found = await checkAuditLog({ files, prover: TEST_PROVER }, folder)
    clearImmediate(next)
    expect(found).toMatchObject({ ok: true, older: 5_000, chained: 1 })
    expect(turns).toBeGreaterThanOrEqual(5)
  })

  test('a log that is not there is none, and nothing is made', async () => {
    const { check, folder } = world()
    expect(await check()).toMatchObject({ ok: true, chained: 0, older: 0 })
    expect(readdirSync(folder)).toEqual([])
  })
})
