import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { estimateUnits } from '../../core/tokens/estimate'
import { recallFor } from '../../engine/knowledge/recall'
import { RecallLibrary } from '../../engine/knowledge/recall-library'
import { recallCold, recallSessions, sessionSource } from '../../engine/knowledge/recall-places'
import type { FoundStore, FoundTranscript, StoreReader } from '../../engine/read/ports'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { memoryFiles } from './memory-files'
import { recallJournal } from './recall-journal'

const policy = { ...DEFAULT_POLICY, semantic: { ...DEFAULT_POLICY.semantic, enabled: true } }
const NOTES = {
  'MEMORY.md': '# Memory\n\nThe harbour master is called Ada.\n',
  'memory/2024-01-15.md':
    '# 15 January\n\n## Crane\nThe crane controller logs to /var/log/crane.log.\n\n## Lunch\nSoup.\n',
  'memory/topics/tides.md': 'Tide tables come from Rotterdam.\n',
  'memory/picture.png': 'no note',
}

function opened(files: Readonly<Record<string, string>> = NOTES) {
  const workspace = temporaryFolder()
  writeFiles(workspace, files)
  const file = join(workspace, 'state', 'recall.jsonl')
  const library = () => new RecallLibrary({ places: [memoryFiles(workspace)], journal: recallJournal(file) })
  return { workspace, file, library }
}
const recall = (memory: RecallLibrary | null, prompt: string, window = 200_000) =>
  recallFor(prompt, { policy, window, memory, sizeOf: estimateUnits })

describe('semantic history over a workspace', () => {
  test('G1: switched off, memory is not asked', async () => {
    const memory = { refresh: vi.fn(), search: vi.fn() }
    const off = { ...policy, semantic: DEFAULT_POLICY.semantic }
    const done = await recallFor('crane', { policy: off, window: 200_000, memory, sizeOf: estimateUnits })
    expect(done).toMatchObject({ text: '', warnings: [] })
    expect(memory.refresh).not.toHaveBeenCalled()
    expect(memory.search).not.toHaveBeenCalled()
  })

  test('G5: what is like the prompt is in its tags, by the name of its file', async () => {
    const { library } = opened()
    const { text, tokens, budget } = await recall(library(), 'Where does the crane controller log to?')
    expect(text).toMatch(
      /^<relevant-prior-context>\n<context source="memory\/2024-01-15\.md" score="(0\.[6-9]\d|1\.00)">\n## Crane\nThe crane controller logs to \/var\/log\/crane\.log\.\n<\/context>\n<\/relevant-prior-context>$/,
    )
    expect(budget).toBe(6_000)
    expect(tokens).toBe(estimateUnits(text))
  })

  test('G7: without memory, or with one that fails, the agent goes on and gets a warning', async () => {
    expect(await recall(null, 'crane')).toMatchObject({
      text: '',
      warnings: ['Semantic history is switched on, but there is no memory to search.'],
    })
    const failing = { refresh: async () => Promise.reject(new Error('disk gone')), search: () => [] }
    expect(
      await recallFor('crane', { policy, window: 200_000, memory: failing, sizeOf: estimateUnits }),
    ).toMatchObject({ text: '', warnings: ['Nothing was recalled: disk gone'] })
    expect(await recall(new RecallLibrary({ places: [memoryFiles('/nowhere')] }), 'crane')).toMatchObject({
      text: '',
      warnings: [],
    })
  })

  test('G8: no request leaves the machine, and vectors are made once, when a note is indexed', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'))
    const { library } = opened()
    await library().sync()
    const second = library()
    expect(await second.sync()).toMatchObject({ read: 0, sources: 3 })
    expect((await recall(second, 'crane controller log')).placed).toHaveLength(1)
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
  })
})

describe('the index is kept up to date', () => {
  test('only what changed is read again, and what is gone is found no more, also in the next process', async () => {
    const { workspace, library } = opened()
    const first = library()
    expect(await first.sync()).toMatchObject({ read: 3, sources: 3, problems: [] })
    expect(await first.sync()).toMatchObject({ read: 0 })
    appendFileSync(join(workspace, 'memory/2024-01-15.md'), '\n## Ferry\nThe ferry leaves at noon.\n')
    rmSync(join(workspace, 'memory/topics/tides.md'))
    expect(await first.sync()).toMatchObject({ read: 1, gone: 1, sources: 2 })
    for (const memory of [first, library()]) {
      await memory.sync()
      expect(memory.search('When does the ferry leave?', 5)[0]?.text).toContain('noon')
      expect(memory.search('Rotterdam', 5)).toEqual([])
    }
  })

  test('thousands of notes are not looked at for every prompt, but soon again', async () => {
    const { workspace } = opened()
    let time = 0
    const place = memoryFiles(workspace)
    const slow = {
      list: async () => {
        time += 1_000
        return place.list()
      },
    }
    const memory = new RecallLibrary({ places: [slow], now: () => time })
    expect(await memory.refresh()).toMatchObject({ read: 3 })
    appendFileSync(join(workspace, 'MEMORY.md'), 'The buoy is green.')
    time += 19_000
    expect(await memory.refresh()).toMatchObject({ read: 0, sources: 3 })
    time += 1_000
    expect(await memory.refresh()).toMatchObject({ read: 1 })
  })

  test('a prompt does not wait for a long indexing; what is there is searched, and it is said', async () => {
    const { workspace } = opened()
    let [open, reach] = [() => {}, () => {}]
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    // The first prompt has waited enough when the indexing has come to the second source; the next one waits.
    const reached = new Promise<void>((resolve) => {
      reach = resolve
    })
    const held = <T>(read: () => Promise<T>): (() => Promise<T>) => {
      return () => {
        reach()
        return gate.then(read)
      }
    }
    const pauses = [reached]
    const place = memoryFiles(workspace)
    const memory = new RecallLibrary({
      places: [
        {
          list: async () => {
            const { sources, problems } = await place.list()
            const [first, ...others] = sources
            const waiting = others.map((one) => ({ ...one, read: held(one.read) }))
            return { sources: first === undefined ? [] : [first, ...waiting], problems }
          },
        },
      ],
      pause: () => pauses.pop() ?? new Promise(() => {}),
    })
    const early = await memory.refresh()
    expect(early.problems).toEqual([
      'Memory is being indexed: 1 of 3 changed sources. What is indexed already was searched.',
    ])
    expect(memory.progress).toEqual({ done: 1, of: 3 })
    expect(memory.search('harbour master', 5)).toHaveLength(1)
    open()
    expect(await memory.refresh()).toMatchObject({ sources: 3, problems: [] })
    expect(memory.progress).toBeNull()
  })

  test('no more is indexed than memory has room for, and it is said what is left out', async () => {
    const { workspace } = opened()
    const memory = new RecallLibrary({ places: [memoryFiles(workspace)], most: 3 })
    const left = expect.stringMatching(/^3 pieces .* no more fit; 1 of 3 sources are left out/)
    expect(await memory.sync()).toMatchObject({ read: 2, pieces: 3, problems: [left] })
    expect(await memory.sync()).toMatchObject({ read: 0, problems: [left] })
    rmSync(join(workspace, 'MEMORY.md'))
    expect(await memory.sync()).toMatchObject({ gone: 1, read: 1, pieces: 3, problems: [] })
  })

  test('a prompt waits longer for a first index than for changes to a known one, and gets a warning about these only', async () => {
    const { workspace } = opened()
    const waits: number[] = []
    let [time, listed] = [0, 0]
    const place = memoryFiles(workspace)
    // Looking takes longer than anybody waits, from the second time on.
    const slow = { list: () => (listed++ === 0 ? place.list() : new Promise<never>(() => {})) }
    const memory = new RecallLibrary({
      places: [slow],
      now: () => time,
      pause: async (ms) => {
        waits.push(ms)
        if (waits.length === 1) await new Promise(() => {})
      },
    })
    expect(await memory.refresh()).toMatchObject({ read: 3, problems: [] })
    time += 60_000
    expect(await memory.refresh()).toMatchObject({ sources: 3, problems: [] })
    expect(waits).toEqual([1_500, 100])
  })

  test('what is kept grows with the change, not with the whole', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`memory/n${i}.md`, `Note ${i} of many.`]),
    )
    const { workspace, file, library } = opened(many)
    const memory = library()
    await memory.sync()
    const { size } = statSync(file)
    appendFileSync(join(workspace, 'memory/n7.md'), '\nmore')
    await memory.sync()
    expect(statSync(file).size - size).toBeLessThan(size / 100)
  })

  test('an index of another version is said to be one and made anew; a torn line costs one source', async () => {
    const { file, library } = opened()
    await library().sync()
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replace(/"plimsollRecall":\d+/, '"plimsollRecall":7'))
    const other = await library().sync()
    expect(other.problems).toEqual([
      expect.stringMatching(/recall\.jsonl was written by another version \(7/),
    ])
    expect(other).toMatchObject({ read: 3, sources: 3 })
    expect(await library().sync()).toMatchObject({ read: 0, problems: [] })
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -40))
    expect(await library().sync()).toMatchObject({
      read: 1,
      sources: 3,
      problems: [expect.stringContaining('1 lines')],
    })
    writeFileSync(file, 'hello')
    expect((await library().sync()).problems).toEqual([expect.stringContaining('is no index of memory')])
    // It may be a file of somebody's who named it by mistake.
    expect(readFileSync(file, 'utf8')).toBe('hello')
    writeFileSync(file, '{"plimsollRec')
    expect((await library().sync()).problems).toEqual([
      expect.stringContaining('is torn; the index is made anew'),
    ])
    expect(await library().sync()).toMatchObject({ read: 0, problems: [] })
  })

  test('what is deleted is found no more, also while something else cannot be looked at', async () => {
    const { workspace, library } = opened()
    symlinkSync('/etc/hosts', join(workspace, 'memory/out.md'))
    const memory = library()
    expect((await memory.sync()).problems).toEqual([expect.stringContaining('leads out')])
    rmSync(join(workspace, 'memory/topics/tides.md'))
    expect(await memory.sync()).toMatchObject({ gone: 1, sources: 2 })
    expect(memory.search('Rotterdam', 5)).toEqual([])
  })

  test('a folder that cannot be listed keeps its notes, and only those', async () => {
    const { workspace } = opened()
    const folder = `memory:${join(workspace, 'memory/topics')}/`
    const place = memoryFiles(workspace)
    const state = { broken: false }
    const memory = new RecallLibrary({
      places: [
        {
          list: async () => {
            const listed = await place.list()
            if (!state.broken) return listed
            const sources = listed.sources.filter(({ id }) => !id.startsWith(folder))
            return { sources, problems: ['cannot be listed'], unseen: [folder] }
          },
        },
      ],
    })
    await memory.sync()
    state.broken = true
    rmSync(join(workspace, 'MEMORY.md'))
    expect(await memory.sync()).toMatchObject({ gone: 1, sources: 2 })
    expect(memory.search('Rotterdam', 5)).toHaveLength(1)
  })

  test('a place that cannot be listed loses nothing', async () => {
    const { workspace } = opened()
    const place = memoryFiles(workspace)
    const state = { broken: false }
    const memory = new RecallLibrary({
      places: [
        { list: async () => (state.broken ? { sources: [], problems: ['cannot be listed'] } : place.list()) },
      ],
    })
    await memory.sync()
    state.broken = true
    expect(await memory.sync()).toMatchObject({ gone: 0, sources: 3, problems: ['cannot be listed'] })
  })
})

describe('notes of any kind', () => {
  test('are read in the encoding they were written in, or refused with what to do', async () => {
    const { workspace, library } = opened({ 'MEMORY.md': '\uFEFFPlain note about berths.' })
    mkdirSync(join(workspace, 'memory'))
    const utf16 = Buffer.from('\uFEFFWide note about anchors.', 'utf16le')
    writeFileSync(join(workspace, 'memory/wide.md'), utf16)
    writeFileSync(join(workspace, 'memory/wide-be.md'), Buffer.from(utf16).swap16())
    writeFileSync(join(workspace, 'memory/latin.md'), Buffer.from('Der Kapitän heißt Jürgen.', 'latin1'))
    writeFileSync(join(workspace, 'memory/binary.md'), Buffer.from([1, 0, 2, 0, 0]))
    const memory = library()
    const { problems, notes } = await memory.sync()
    expect(notes.toSorted()).toEqual([
      'memory/latin.md: is no UTF-8; read as Windows-1252, so some letters may be wrong',
      'memory/wide-be.md: read as UTF-16',
      'memory/wide.md: read as UTF-16',
    ])
    expect(problems).toEqual([
      expect.stringMatching(/^memory\/binary\.md: holds zero bytes.*save it as UTF-8/),
    ])
    expect(memory.search('Jürgen Kapitän', 1)[0]?.text).toBe('Der Kapitän heißt Jürgen.')
    expect(memory.search('berths', 1)[0]?.text).toBe('Plain note about berths.')
    expect(memory.search('anchors', 5)).toHaveLength(2)
  })

  test('credentials in them are neither kept nor recalled', async () => {
    const { file, library } = opened({
      'MEMORY.md': 'The vault key is token=ghp_abcdefghijklmnopqrstuvwxyz0123456789.',
    })
    const memory = library()
    await memory.sync()
    expect(memory.search('vault key', 1)[0]?.text).toMatch(/^The vault key is token=•+$/)
    expect(readFileSync(file, 'utf8')).not.toContain('ghp_')
  })

  test('links that lead out of the workspace are not followed', async () => {
    const { workspace, library } = opened({ 'MEMORY.md': 'x is y' })
    const outside = temporaryFolder()
    writeFiles(outside, { 'secret.md': 'The password is swordfish.' })
    mkdirSync(join(workspace, 'memory'))
    symlinkSync(join(outside, 'secret.md'), join(workspace, 'memory', 'link.md'))
    const memory = library()
    expect((await memory.sync()).problems).toEqual([expect.stringContaining('leads out of the workspace')])
    expect(memory.search('password swordfish', 5)).toEqual([])
  })

  test('of more notes than can be kept the newest are recalled, and it is said', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`memory/n${i}.md`, `Note ${i}.`]))
    const { workspace } = opened(many)
    const { sources, problems } = await memoryFiles(workspace, 20).list()
    expect(sources).toHaveLength(20)
    expect(problems).toEqual([expect.stringContaining('holds 30 notes; the 20 newest')])
  })
})

test('cold storage and old sessions are recalled as well, running ones are not', async () => {
  const chunk = {
    chunkId: 'c1',
    sessionId: 's',
    content: 'The lighthouse was painted red.',
    at: 5,
    until: 1e15,
    file: '/c/s.jsonl',
  }
  const store = {
    list: async () => ({ chunks: [chunk, { ...chunk, chunkId: 'c2', until: 1 }], problems: [] }),
  }
  const transcript = (id: string, mtimeMs: number) =>
    ({
      id,
      sessionId: id,
      key: null,
      state: 'live',
      stamp: { dev: 1, ino: 1, size: 1, mtimeMs },
    }) as FoundTranscript
  const found = [transcript('old', 0), transcript('running', 9_999_000), transcript('own', 0)]
  const reader = {
    read: async function* (_: FoundStore, { sessionId }: FoundTranscript) {
      yield {
        facts: [{ role: 'user' }, { role: 'toolResult' }],
        texts: [`The buoy of ${sessionId} is green.`, 'The buoy is a tool result.'],
      }
    },
  } as unknown as StoreReader
  const memory = new RecallLibrary({
    places: [
      recallCold(store as unknown as Parameters<typeof recallCold>[0], () => 100),
      recallSessions({
        reader,
        find: async () => found.map((one) => ({ store: {} as FoundStore, transcript: one })),
        now: () => 10_000_000,
        without: new Set(['own']),
      }),
    ],
  })
  await memory.sync()
  expect(memory.search('lighthouse painted', 5).map(({ source }) => source)).toEqual(['cold-storage/c1'])
  expect(memory.search('Which colour has the buoy?', 5).map(({ text }) => text)).toEqual([
    'The buoy of old is green.',
  ])
  expect(memory.search('buoy', 5, ['cold'])).toEqual([])
  expect(memory.search('buoy', 5, null, new Set([sessionSource('old')]))).toEqual([])
})
