import { beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import type { TranscriptBuilder } from '../../testing/builders/transcript'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import { testWriter } from '../../testing/test-writer'
import type { PeekPorts } from '../repair/inspect-transcript'
import type { CompactionPorts } from './compaction-ports'
import { damageNotes, hasOnlyGrown, loadSource } from './load-session'
import { planSession } from './plan-session'

let disk: MemoryDisk
beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(COMPACTED_FILE, tenTurns().text())
})
async function replace(text: string): Promise<void> {
  await disk.unlink(COMPACTED_FILE)
  await disk.put(COMPACTED_FILE, text)
}
const refused = (code: string, words: RegExp) => ({
  refusal: { code, message: expect.stringMatching(words) },
})

describe('D12 a transcript is looked at before it is compacted', () => {
  const notesOf = async () => {
    const look: PeekPorts = { files: disk, pieces: disk.read, decode: decodeUtf8, skeleton: () => null }
    return damageNotes(look, (await compactionWorld(disk, testWriter(disk), new Map())).request.transcript)
  }

  it('of a sound one nothing is said', async () => {
    expect(await notesOf()).toEqual([])
  })

  it('damage is counted, and left to the repair', async () => {
    const text = tenTurns().text()
    await replace(`${text}{"torn\n`)
    expect(await notesOf()).toEqual([expect.stringMatching(/damaged in 1 place; "plimsoll repair"/)])
    await replace(`${text}{"torn\n{"torn\n`)
    expect(await notesOf()).toEqual([expect.stringMatching(/damaged in 2 places;/)])
  })

  it('without a header it belongs to no session', async () => {
    await replace(tenTurns().text().split('\n').slice(1).join('\n'))
    await expect(notesOf()).rejects.toMatchObject(refused('unsafe', /does not begin with a session header/))
  })

  it('one that cannot be looked at is refused', async () => {
    const { transcript } = (await compactionWorld(disk, testWriter(disk), new Map())).request
    await disk.unlink(COMPACTED_FILE)
    const look: PeekPorts = { files: disk, pieces: disk.read, decode: decodeUtf8, skeleton: () => null }
    await expect(damageNotes(look, transcript)).rejects.toHaveProperty('refusal')
  })
})

describe('D12 a session is read whole, from one file', () => {
  /** @param meanwhile done after the file was read for the first time, second time … */
  async function load(meanwhile: (time: number) => Promise<unknown> = async () => undefined) {
    const { ports, request } = await compactionWorld(disk, testWriter(disk), new Map())
    let times = 0
    const read: CompactionPorts['reader']['read'] = async function* (...given) {
      yield* ports.reader.read(...given)
      times += 1
      await meanwhile(times)
    }
    const loaded = loadSource({ ...ports, reader: { ...ports.reader, read } }, request)
    return { loaded, times: () => times }
  }
  const append = async () => {
    const last = JSON.stringify({ type: 'custom', id: `x${Math.random()}`, parentId: 'e20' })
    await (await disk.openEnd(COMPACTED_FILE)).write(new TextEncoder().encode(`${last}\n`))
  }

  it('with the state of its file', async () => {
    const { loaded, times } = await load()
    const { source, expected } = await loaded
    expect(source.call).toBe('next')
    expect(expected.size).toBe(Buffer.byteLength(tenTurns().text()))
    expect(times()).toBe(1)
  })

  it('one that is written to meanwhile is read again, three times at most', async () => {
    const twice = await load(async (time) => (time < 3 ? append() : undefined))
    const { source, expected } = await twice.loaded
    expect(source.session.facts).toHaveLength(23)
    expect(expected.size).toBe(Buffer.byteLength(disk.text(COMPACTED_FILE) ?? ''))
    const always = await load(append)
    await expect(always.loaded).rejects.toMatchObject(refused('changed', /being written to/))
    expect(always.times()).toBe(3)
  })

  it('also one that was changed in its place, with as many bytes as before', async () => {
    const changing = async () => {
      const file = await disk.openEnd(COMPACTED_FILE)
      const text = disk.text(COMPACTED_FILE) ?? ''
      await file.truncate(0)
      await file.write(new TextEncoder().encode(text.replace('part 3', 'part 4')))
    }
    const { loaded, times } = await load(async (time) => (time === 1 ? changing() : undefined))
    await loaded
    expect(times()).toBe(2)
  })

  it('one that goes meanwhile is missing', async () => {
    const { loaded } = await load(async () => disk.unlink(COMPACTED_FILE))
    await expect(loaded).rejects.toMatchObject(refused('missing', /not there any more/))
  })

  it('one that another harness took over meanwhile is left to it', async () => {
    const mirrored = tenTurns()
    mirrored.assistant('from elsewhere', { fields: { provider: 'claude-cli', api: 'cli' } })
    await replace(mirrored.text())
    const { loaded } = await load()
    await expect(loaded).rejects.toMatchObject(refused('not-supported', /Claude CLI keeps the real history/))
  })
})

describe('D12 a session that was planned has only grown', () => {
  const sourceOf = async (session: TranscriptBuilder) => planSourceOf(await memorySession(session.text()))
  async function grown(
    change: (session: TranscriptBuilder) => void,
    start: () => TranscriptBuilder = tenTurns,
  ): Promise<boolean> {
    const before = await sourceOf(start())
    const choice = { policy: COMPACTION_POLICY, manual: true, source: 'digest', price: null } as const
    const plan = planSession(before, { ...choice, checkpoint: null })
    if (plan.kind !== 'plan') throw new Error(plan.why)
    const now = start()
    change(now)
    return hasOnlyGrown(before, await sourceOf(now), plan)
  }
  const rewrite = (from: string, to: string) => (session: TranscriptBuilder) => {
    session.lines.splice(0, Infinity, ...session.lines.map((line) => line.replaceAll(from, to)))
  }

  it.each<[string, (session: TranscriptBuilder) => void]>([
    ['nothing came', () => undefined],
    ['entries came behind it', (session) => session.user('more')],
    [
      'a branch was tried and left again',
      (session) => {
        session.user('elsewhere', { parentId: 'e4' })
        session.user('back', { parentId: 'e20' })
      },
    ],
  ])('where %s', async (_what, change) => {
    expect(await grown(change)).toBe(true)
  })

  it.each<[string, (session: TranscriptBuilder) => void]>([
    ['the last entry became longer', rewrite('Done 9.', 'Done 9, at last.')],
    ['an entry has another id', rewrite('"e7"', '"x7"')],
    ['a blank line came between', (session) => session.lines.splice(4, 0, '')],
    ['entries are gone', (session) => session.lines.splice(-1)],
    [
      'it goes on from an earlier message, behind the cut',
      (session) => session.user('no', { parentId: 'e19' }),
    ],
    ['it goes on from before the cut', (session) => session.user('no', { parentId: 'e2' })],
    ['it was compacted', (session) => session.compaction('s', 'e19')],
    ['it was reset', (session) => session.entry('reset', { reason: 'new' })],
  ])('not where %s', async (_what, change) => {
    expect(await grown(change)).toBe(false)
  })

  it('also where it had been compacted before', async () => {
    const again = () => {
      const session = tenTurns()
      session.compaction('s', 'e19')
      for (let i = 0; i < 9; i++) session.user(`Part ${i}. ${'word '.repeat(80)}`)
      return session
    }
    expect(await grown((session) => session.user('more'), again)).toBe(true)
  })
})
