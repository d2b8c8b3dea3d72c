import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FoundStore, FoundTranscript, ReadBatch } from '../../engine/read/ports'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import {
  listAll,
  readAll,
  type StoreReading,
  storeFixture,
  temporaryFolder,
} from '../../testing/store-folder'
import { discoverStores } from '../discovery/discover'
import { MemoryBytes } from '../jsonl/byte-source'
import { DEFAULT_LIMITS, readJsonl } from '../jsonl/read-jsonl'
import { createStoreReader } from './store-reader'

const HEADER = '{"type":"session","version":3,"id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'

function line(n: number, text = 'hello'): string {
  return `${JSON.stringify({
    type: 'message',
    id: `e${n}`,
    parentId: n > 1 ? `e${n - 1}` : null,
    message: { role: 'user', content: text },
  })}\n`
}

function lines(from: number, to: number, text?: string): string {
  return Array.from({ length: to - from + 1 }, (_, i) => line(from + i, text)).join('')
}

/** A store of one file, its reader, and readings that go on from each other. */
async function fileStore(content: string | Uint8Array, name = 's1.jsonl', options = {}) {
  const folder = temporaryFolder()
  const file = join(folder, name)
  writeFileSync(file, content)
  const { stores } = await discoverStores({ env: {}, home: '/nowhere', only: [folder] })
  const store = stores[0] as FoundStore
  const reader = createStoreReader(options)
  const find = async () => {
    const { transcripts } = await listAll(reader, store)
    return transcripts.find(({ path }) => path === file) as FoundTranscript
  }
  let last: StoreReading | null = null
  const read = async (onBatch?: (batch: number) => void) => {
    last = await readAll(reader, store, await find(), last?.cursor ?? null, onBatch)
    return last
  }
  return { folder, file, store, reader, find, read }
}

const ids = (reading: StoreReading) => reading.facts.map((fact) => fact.id ?? fact.type)

describe('reading a transcript file', () => {
  it('goes on where it stopped when the file has grown, and reads no more than that', async () => {
    const { file, read } = await fileStore(HEADER + lines(1, 3000))
    const first = await read()
    expect(first.facts).toHaveLength(3001)
    expect(first.batches).toBe(2)
    expect(first.bytesRead).toBe(statSync(file).size)

    expect(await read()).toMatchObject({ facts: [], batches: 0, start: { restarted: false } })

    appendFileSync(file, line(3001))
    const second = await read()
    expect(ids(second)).toEqual(['e3001'])
    expect(second.start).toEqual({ restarted: false })
    expect(second.facts[0]).toMatchObject({
      seq: 3001,
      line: 3002,
      offset: statSync(file).size - line(3001).length,
    })
    expect(second.bytesRead).toBe(4096 + line(3001).length)
  })

  it('leaves a torn line until its end has come, then takes it once', async () => {
    const { file, read } = await fileStore(HEADER + line(1) + line(2).slice(0, 30))
    expect(ids(await read())).toEqual(['session', 'e1'])
    appendFileSync(file, line(2).slice(30, 40))
    expect(await read()).toMatchObject({ facts: [], batches: 1 })
    appendFileSync(file, line(2).slice(40) + line(3))
    const last = await read()
    expect(ids(last)).toEqual(['e2', 'e3'])
    expect(last.facts.map((fact) => fact.line)).toEqual([3, 4])
  })

  it('gives the same entries whatever the pieces in which a file is written', async () => {
    const content = Buffer.from(`${HEADER}${lines(1, 6, 'ä€\u2028😀')}\n\nrubbish\n${lines(7, 9)}`)
    const whole = await (await fileStore(content)).read()
    for (const step of [1, 13, 64]) {
      const { file, read } = await fileStore('')
      const facts = [...(await read()).facts]
      for (let at = 0; at < content.length; at += step) {
        appendFileSync(file, content.subarray(at, at + step))
        facts.push(...(await read()).facts)
      }
      expect(facts).toEqual(whole.facts)
    }
  })

  it('starts over when the file was cut short', async () => {
    const { file, read } = await fileStore(HEADER + lines(1, 9))
    await read()
    truncateSync(file, (HEADER + lines(1, 4)).length)
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'truncated' })
    expect(ids(again)).toEqual(['session', 'e1', 'e2', 'e3', 'e4'])
  })

  it('starts over when the file was cut short and has grown beyond where reading stopped', async () => {
    const { file, read } = await fileStore(HEADER + lines(1, 3))
    await read()
    truncateSync(file, HEADER.length)
    appendFileSync(file, lines(11, 19))
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(ids(again)).toEqual(['session', ...Array.from({ length: 9 }, (_, i) => `e${11 + i}`)])
  })

  it('tells new lines from old ones by what is before them, even where lengths agree', async () => {
    const { file, read } = await fileStore(HEADER + lines(2, 4))
    await read()
    truncateSync(file, HEADER.length)
    appendFileSync(file, lines(5, 8))
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(ids(again)).toEqual(['session', 'e5', 'e6', 'e7', 'e8'])
  })

  it('starts over when another file took its place', async () => {
    const { file, read } = await fileStore(HEADER + lines(1, 3))
    await read()
    writeFileSync(`${file}.tmp`, HEADER + lines(1, 3) + line(4))
    renameSync(`${file}.tmp`, file)
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'replaced' })
    expect(again.facts).toHaveLength(5)
  })

  it('starts over when the file was written over at the same length', async () => {
    const { file, read } = await fileStore(HEADER + line(1, 'hello') + lines(2, 40, 'x'.repeat(300)))
    await read()
    const changed = readFileSync(file, 'utf8').replace('hello', 'hullo')
    writeFileSync(file, changed)
    utimesSync(file, new Date(), new Date(Date.now() + 5000))
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(again.facts[1]?.preview).toBe('hullo')
  })

  it('a file that was renamed is a separate archive, and a new one of its name starts afresh', async () => {
    const { folder, file, reader, store, read } = await fileStore(HEADER + lines(1, 3))
    await read()
    renameSync(file, `${file}.reset.2026-11-21T03-06-14.123Z`)
    writeFileSync(file, HEADER + line(1))
    const { transcripts } = await listAll(reader, store)
    expect(transcripts.map(({ path, state }) => [path.slice(folder.length + 1), state]).sort()).toEqual([
      ['s1.jsonl', 'live'],
      ['s1.jsonl.reset.2026-11-21T03-06-14.123Z', 'reset'],
    ])
    expect((await read()).start).toEqual({ restarted: true, reason: 'replaced' })
  })

  it('takes what was there when reading began, and the rest with the next pass', async () => {
    const { file, read } = await fileStore(HEADER + lines(1, 50), 's1.jsonl', { limits: { batchFacts: 10 } })
    const first = await read((batch) => {
      if (batch === 2) appendFileSync(file, lines(51, 60))
    })
    expect(first.facts).toHaveLength(51)
    expect(ids(await read())).toEqual(Array.from({ length: 10 }, (_, i) => `e${51 + i}`))
  })

  it('a file cut short while it is read gives what was read, and the next pass starts over', async () => {
    const { file, read } = await fileStore(HEADER + lines(1, 400, 'y'.repeat(500)), 's1.jsonl', {
      limits: { batchFacts: 20, buffer: 16_384 },
    })
    const first = await read((batch) => {
      if (batch === 3) truncateSync(file, (HEADER + lines(1, 10, 'y'.repeat(500))).length)
    })
    expect(first.problem).toBeNull()
    expect(first.facts.length).toBeGreaterThan(59)
    expect(first.facts.length).toBeLessThan(401)
    expect(first.facts.every((fact) => fact.type !== 'unreadable')).toBe(true)
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'truncated' })
    expect(again.facts).toHaveLength(11)
  })

  it('a file deleted while it is read is read to its end, and then it is missing', async () => {
    const { file, find, reader, store } = await fileStore(HEADER + lines(1, 50), 's1.jsonl', {
      limits: { batchFacts: 10 },
    })
    const transcript = await find()
    const first = await readAll(reader, store, transcript, null, (batch) => batch === 2 && unlinkSync(file))
    expect(first).toMatchObject({ problem: null })
    expect(first.facts).toHaveLength(51)
    const gone = await readAll(reader, store, transcript, first.cursor)
    expect(gone.problem).toMatchObject({ code: 'missing', path: file })
    expect((await listAll(reader, store)).transcripts).toEqual([])
  })

  it('an unreadable line is an entry with its number and reason, and the rest goes on', async () => {
    const { read } = await fileStore(`${HEADER}not json\n[1]\n${line(1)}{"type":"message"\n${line(2)}`)
    const { facts } = await read()
    expect(facts.map(({ type, line: number }) => [type, number])).toEqual([
      ['session', 1],
      ['unreadable', 2],
      ['unreadable', 3],
      ['message', 4],
      ['unreadable', 5],
      ['message', 6],
    ])
    for (const fact of facts) if (fact.type === 'unreadable') expect(fact.problem).toMatch(/\S/)
  })

  it('a line above the limit is an entry with its size, and the rest goes on', async () => {
    const { read, reader, store, find } = await fileStore(
      HEADER + line(1, 'z'.repeat(3 << 20)) + line(2),
      's1.jsonl',
      { limits: { maxLine: 1 << 20, buffer: 65_536 } },
    )
    const { facts } = await read()
    expect(facts.map((fact) => fact.type)).toEqual(['session', 'unreadable', 'message'])
    expect(facts[1]).toMatchObject({ line: 2, bytes: line(1, 'z'.repeat(3 << 20)).length - 1 })
    expect(facts[1]?.problem).toContain('3.0 MiB; lines over 1 MiB are passed over')
    expect(facts[1]).toMatchObject({ id: 'e1', parentId: null, role: 'user' })
    expect(facts[2]).toMatchObject({ id: 'e2', line: 3, seq: 2 })
    const [, long] = facts
    if (long === undefined) throw new Error('no entry')
    await expect(reader.source(store, await find(), long)).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('a line of 100 MB does no harm', async () => {
    const { file, read } = await fileStore(HEADER + line(1))
    const descriptor = openSync(file, 'a')
    const block = Buffer.alloc(10 << 20, 'q')
    for (let i = 0; i < 10; i++) writeSync(descriptor, block)
    writeSync(descriptor, `\n${line(2)}`)
    closeSync(descriptor)
    const { facts, problem } = await read()
    expect(problem).toBeNull()
    expect(facts.map((fact) => [fact.type, fact.line])).toEqual([
      ['session', 1],
      ['message', 2],
      ['unreadable', 3],
      ['message', 4],
    ])
    expect(facts[2]?.problem).toContain('100.0 MiB')
  })

  it('binary rubbish and a file without a header are read as what they are', async () => {
    const rubbish = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256))
    const binary = await (await fileStore(rubbish)).read()
    expect(binary.problem).toBeNull()
    expect(binary.facts.length).toBeGreaterThan(0)
    expect(binary.facts.every((fact) => fact.type === 'unreadable')).toBe(true)
    expect(ids(await (await fileStore(lines(1, 2))).read())).toEqual(['e1', 'e2'])
  })

  it('an empty file has no entries and is no problem', async () => {
    const { read } = await fileStore('')
    expect(await read()).toMatchObject({ facts: [], problem: null })
    expect(await read()).toMatchObject({ facts: [], batches: 0 })
  })

  it('a failing disk is a problem after what was read before', async () => {
    const data = Buffer.from(HEADER + lines(1, 100))
    const failing = new (class extends MemoryBytes {
      override read(into: Buffer, at: number, length: number): number {
        if (this.bytesRead > 5000) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
        return super.read(into, at, Math.min(length, 1000))
      }
    })(data)
    const origin = {
      path: '/disk/s1.jsonl',
      stamp: { dev: 1, ino: 1, size: data.length, mtimeMs: 1 },
      length: data.length,
      bytesFrom: () => failing,
    }
    const batches: ReadBatch[] = []
    const reading = async () => {
      for await (const batch of readJsonl(origin, null, () => {}, 'leave', DEFAULT_LIMITS))
        batches.push(batch)
    }
    await expect(reading()).rejects.toMatchObject({
      code: 'unreadable',
      path: '/disk/s1.jsonl',
      message: expect.stringContaining('disk reports a read error'),
    })
    expect(batches).toHaveLength(1)
    const { facts, cursor } = batches[0] as ReadBatch
    expect(facts.length).toBeGreaterThan(20)
    expect(data[cursor.offset - 1]).toBe(10)
    expect(cursor.seq).toBe(facts.length)
  })
})

describe('the last line without a newline (as pi reads it)', () => {
  it('is taken in a complete reading if it is a whole entry', async () => {
    const { file, read } = await fileStore(HEADER + line(1) + line(2).trimEnd(), 's1.jsonl', {
      lastLine: 'take-whole',
    })
    expect(ids(await read())).toEqual(['session', 'e1', 'e2'])
    appendFileSync(file, `\n${line(3)}`)
    const next = await read()
    expect(next.start).toEqual({ restarted: false })
    expect(next.facts).toMatchObject([{ id: 'e3', line: 4, seq: 3 }])
  })

  it('is left if it is not', async () => {
    const { read } = await fileStore(HEADER + line(1) + line(2).slice(0, -5), 's1.jsonl', {
      lastLine: 'take-whole',
    })
    expect(ids(await read())).toEqual(['session', 'e1'])
  })

  it('starts over when the line that was taken goes on', async () => {
    const { file, read } = await fileStore(HEADER + line(1).trimEnd(), 's1.jsonl', { lastLine: 'take-whole' })
    await read()
    appendFileSync(file, line(2))
    const again = await read()
    expect(again.start).toEqual({ restarted: true, reason: 'rewritten' })
    expect(again.facts.map((fact) => fact.type)).toEqual(['session', 'unreadable'])
  })

  it('of an archive is taken as it is: no process will end it', async () => {
    const { read } = await fileStore(
      HEADER + line(1) + line(2).slice(0, -5),
      's1.jsonl.deleted.2026-11-21T03-06-14Z',
    )
    expect(ids(await read())).toEqual(['session', 'e1', 'unreadable'])
  })
})

describe('compressed archives', () => {
  it('are read as what they hold, and gone on with after an interruption', async () => {
    const name = 's1.jsonl.reset.2026-11-21T03-06-14.123Z.zst'
    const content = storeFixture('pi-version-1.jsonl')
    const { read, find, reader, store } = await fileStore(storeFixture('pi-version-1.jsonl.zst'), name, {
      limits: { batchFacts: 15 },
    })
    const whole = await read()
    expect(whole.facts).toHaveLength(40)
    expect(whole.cursor).toMatchObject({ offset: content.length, line: 40 })

    const transcript = await find()
    let middle = null
    for await (const batch of reader.read(store, transcript, null, () => {})) {
      middle = batch.cursor
      break
    }
    const rest = await readAll(reader, store, transcript, middle)
    expect(rest.start).toEqual({ restarted: false })
    expect(rest.facts).toEqual(whole.facts.slice(15))
    for (const fact of whole.facts) {
      const text = content.subarray(fact.offset, fact.offset + fact.bytes).toString()
      expect(await reader.source(store, transcript, fact)).toBe(text)
    }
  })

  it('a damaged one is a problem after what could be read', async () => {
    const packed = storeFixture('pi-version-1.jsonl.zst')
    const { read } = await fileStore(packed.subarray(0, packed.length - 30), 's.jsonl.deleted.1.zst')
    const { facts, problem } = await read()
    expect(facts.length).toBeGreaterThanOrEqual(20)
    expect(problem).toMatchObject({ code: 'unreadable' })
  })
})

describe('what is no ordinary file', () => {
  it('a named pipe called x.jsonl is listed with its problem and does not stall', async () => {
    const { folder, reader, store } = await fileStore(HEADER)
    execFileSync('mkfifo', [join(folder, 'x.jsonl')])
    const { transcripts } = await listAll(reader, store)
    const pipe = transcripts.find(({ path }) => path.endsWith('x.jsonl')) as FoundTranscript
    expect(pipe.problem).toContain('is a named pipe, not a regular file')
    const { problem } = await readAll(reader, store, pipe)
    expect(problem).toMatchObject({ code: 'not-regular' })
    expect(transcripts.find(({ path }) => path.endsWith('s1.jsonl'))?.problem).toBeUndefined()
  })

  it('links are followed inside the store and not out of it', async () => {
    const { folder, file, reader, store } = await fileStore(HEADER + line(1))
    const secret = join(temporaryFolder(), 'secret.jsonl')
    writeFileSync(secret, HEADER)
    symlinkSync(file, join(folder, 'inside.jsonl'))
    symlinkSync(secret, join(folder, 'outside.jsonl'))
    const { transcripts } = await listAll(reader, store)
    const named = (name: string) => transcripts.find(({ path }) => path.endsWith(name)) as FoundTranscript
    expect((await readAll(reader, store, named('inside.jsonl'))).facts).toHaveLength(2)
    expect(named('outside.jsonl').problem).toContain('leads out of the store')
    const { facts, problem } = await readAll(reader, store, named('outside.jsonl'))
    expect(facts).toEqual([])
    expect(problem).toMatchObject({ code: 'outside' })
    await expect(
      reader.source(store, { ...named('inside.jsonl'), path: secret }, { offset: 0, bytes: 5, seq: 0 }),
    ).rejects.toMatchObject({ code: 'outside' })
  })
})

describe('the source of an entry', () => {
  it('is its line, to the byte', async () => {
    const content = `\uFEFF${HEADER.trimEnd()}\r\n${line(1, 'ä€😀\u2028')}\n${line(2)}`
    const { read, find, reader, store } = await fileStore(content)
    const { facts } = await read()
    const transcript = await find()
    const sources = await Promise.all(facts.map((fact) => reader.source(store, transcript, fact)))
    expect(sources).toEqual([HEADER.trimEnd(), line(1, 'ä€😀\u2028').trimEnd(), line(2).trimEnd()])
  })

  it('is refused when another entry, or the middle of a line, is there now', async () => {
    const { file, read, find, reader, store } = await fileStore(HEADER + line(1, 'a') + line(2, 'b'))
    const { facts } = await read()
    const [, first, second] = facts
    if (first === undefined || second === undefined) throw new Error('no entries')
    writeFileSync(file, HEADER + line(7, 'a') + line(2, 'b'))
    const transcript = await find()
    await expect(reader.source(store, transcript, first)).rejects.toMatchObject({ code: 'changed' })
    expect(await reader.source(store, transcript, second)).toBe(line(2, 'b').trimEnd())
    writeFileSync(file, HEADER + line(1, 'aa') + line(2, 'b'))
    await expect(reader.source(store, transcript, second)).rejects.toMatchObject({ code: 'changed' })
    truncateSync(file, HEADER.length)
    await expect(reader.source(store, transcript, first)).rejects.toMatchObject({ code: 'changed' })
  })
})

describe.skipIf(CORPUS === null)('every transcript of the corpus (skipped where it is absent)', () => {
  it('is read line by line, and every entry is found again', async () => {
    const files = transcriptFiles(CORPUS ?? '').filter((file) => !/claude-code|codex/.test(file))
    expect(files.length).toBeGreaterThan(3)
    for (const original of files) {
      const content = readFileSync(original)
      const { read, find, reader, store } = await fileStore(content)
      const { facts, problem } = await read()
      expect(problem).toBeNull()
      expect(facts).toHaveLength(
        content
          .toString()
          .split('\n')
          .filter((text) => text.trim() !== '').length,
      )
      const transcript = await find()
      for (const fact of facts) {
        const text = await reader.source(store, transcript, fact)
        expect(text).toBe(content.subarray(fact.offset, fact.offset + fact.bytes).toString())
      }
    }
  })
})
