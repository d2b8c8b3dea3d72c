import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../../core/memory/checkpoint'
import { checkpointText } from '../../core/memory/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import { keyOfText } from '../knowledge/message-key'
import { checkpointSummary, newestCheckpoint, textOfCheckpoint } from './checkpoint-summary'
import type { PlanSource } from './plan-session'
import { type CheckpointMemory, storedCheckpoint } from './stored-checkpoint'

function conversation(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  for (const n of [1, 3, 5]) {
    session.user(`ask ${n}`)
    session.assistant(`answer ${n + 1}`)
  }
  session.user('ask 1')
  return session
}
const keyOf = (role: string, text: string) => keyOfText({ role }, text)
const AT = Date.UTC(2026, 10, 1, 9)

const BODY: Checkpoint['body'] = { summary: 'So far.', topics: [], decisions: ['Berth 9.'], questions: [] }
const checkpoint = (over: Partial<Checkpoint> = {}): Checkpoint => ({
  ...{ id: 'c', session: 's1', at: AT, uptoEntryId: keyOf('assistant', 'answer 4'), uptoSeq: 3, covered: 9 },
  tokens: 40,
  body: BODY,
  ...over,
})

type Rolling = {
  readonly text: string
  readonly tokens: number
  readonly covered: number
  readonly key: string
}

/** What agents remember, by the name of their session. */
function memoryOf(
  checkpoints: Readonly<Record<string, readonly Checkpoint[]>>,
  rolling: Readonly<Record<string, Rolling>> = {},
): CheckpointMemory & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    checkpoints: async (session) => {
      asked.push(session)
      return [...(checkpoints[session] ?? [])]
    },
    load: (async (session: string) =>
      rolling[session] === undefined
        ? null
        : { rolling: rolling[session] }) as unknown as CheckpointMemory['load'],
  }
}

async function cover(
  memories: readonly CheckpointMemory[] | undefined,
  choice: { readonly focus?: string; readonly digest?: boolean } = {},
  open: Parameters<typeof memorySession>[1] = {},
) {
  const stored = await memorySession(conversation().text(), open)
  const source = await planSourceOf(stored)
  stored.asked.length = 0
  const { focus = null, digest = false } = choice
  const { reader } = stored
  const found = await storedCheckpoint({ reader, ...(memories === undefined ? {} : { memories }) }, source, {
    focus,
    digest,
  })
  return { ...found, asked: stored.asked, source, reader }
}

/** Words in place of the session up to the entry with this sequence number, as rolling summaries are kept. */
const rollingAt = (index: number, key: string): Rolling => ({
  text: 'so far',
  tokens: 7,
  covered: index + 1,
  key,
})

describe('E11 a text that is in place of a stored session already', () => {
  it('is a checkpoint, found by the message that it ends with', async () => {
    const { covering, notes } = await cover([memoryOf({ s1: [checkpoint()] })])
    expect(covering).toEqual({ ...textOfCheckpoint(checkpoint()), uptoSeq: 4 })
    expect(covering).toMatchObject({ text: checkpointText(BODY), tokens: 40 })
    expect(notes).toEqual([])
  })

  it('a message that cannot be read is no place where it may end', async () => {
    const stored = await memorySession(conversation().text())
    const reader: typeof stored.reader = {
      ...stored.reader,
      source: async (store, transcript, fact) =>
        fact.seq === 2 ? '{"torn' : stored.reader.source(store, transcript, fact),
    }
    const locate = async (key: string) =>
      storedCheckpoint(
        { reader, memories: [memoryOf({ s1: [checkpoint({ uptoEntryId: key })] })] },
        await planSourceOf(stored),
        { focus: null, digest: false },
      )
    expect((await locate(keyOf('assistant', 'answer 4'))).covering?.uptoSeq).toBe(4)
    expect((await locate(keyOf('assistant', 'answer 2'))).covering).toBeNull()
  })

  it('or a rolling summary, under either name of the session', async () => {
    const rolling = rollingAt(1, keyOf('assistant', 'answer 2'))
    const memory = memoryOf({}, { 'agent:main:main': rolling })
    expect((await cover([memory])).covering).toEqual({ text: 'so far', tokens: 7, uptoSeq: 2 })
    expect(memory.asked).toEqual(['agent:main:main', 's1'])
    for (const key of [null, 's1']) {
      const nameless = memoryOf({}, { s1: rolling })
      expect((await cover([nameless], {}, { transcript: { key } })).covering?.uptoSeq).toBe(2)
      expect(nameless.asked).toEqual(['s1'])
    }
  })

  it('the one that goes furthest counts, of all memories', async () => {
    const first = memoryOf({ s1: [checkpoint()] }, { s1: rollingAt(1, keyOf('assistant', 'answer 2')) })
    const second = memoryOf({ s1: [checkpoint({ uptoEntryId: 'e5', at: AT })] })
    expect((await cover([first, second])).covering?.uptoSeq).toBe(5)
    expect(newestCheckpoint([])).toBeNull()
  })

  it('of messages that say the same, the one at its place, else the first', async () => {
    const key = keyOf('user', 'ask 1')
    expect((await cover([memoryOf({}, { s1: rollingAt(6, key) })])).covering?.uptoSeq).toBe(7)
    expect((await cover([memoryOf({}, { s1: rollingAt(5, key) })])).covering?.uptoSeq).toBe(1)
  })

  it('a message that came after the checkpoint was written is another one', async () => {
    const key = keyOf('assistant', 'answer 4')
    const written = Date.UTC(2026, 10, 1, 8, 0, 4)
    const at = (ms: number) => cover([memoryOf({ s1: [checkpoint({ uptoEntryId: key, at: ms })] })])
    expect((await at(written)).covering?.uptoSeq).toBe(4)
    expect((await at(written - 1)).covering).toBeNull()
  })

  it('is none for another conversation', async () => {
    const elsewhere = memoryOf({ s1: [checkpoint({ uptoEntryId: keyOf('user', 'something else') })] })
    expect((await cover([elsewhere])).covering).toBeNull()
  })

  it('is none where a summary is wanted for itself, and nothing is read for it', async () => {
    const memory = memoryOf({ s1: [checkpoint()] })
    for (const [choice, open] of [
      [{ focus: 'berths' }, {}],
      [{ digest: true }, {}],
      [{}, { store: { era: 'sqlite' } }],
    ] as const) {
      const { covering, notes, asked } = await cover([memory], choice, open)
      expect({ covering, notes, asked }).toEqual({ covering: null, notes: [], asked: [] })
    }
    expect(memory.asked).toEqual([])
    expect((await cover([memoryOf({})])).asked).toEqual([])
    expect(await cover(undefined)).toMatchObject({ covering: null, notes: [] })
  })

  it('a memory that cannot be read is reported once, and the others are asked', async () => {
    const broken: CheckpointMemory = {
      checkpoints: () => Promise.reject(new Error('The memory is broken.')),
      load: () => Promise.reject(new Error('not asked')),
    }
    const { covering, notes } = await cover([broken, memoryOf({ s1: [checkpoint()] })])
    expect(covering?.uptoSeq).toBe(4)
    expect(notes).toEqual(['The memory is broken.'])
  })

  it('is looked up once for a session as it was read, and anew for other texts', async () => {
    const memory = memoryOf({ s1: [checkpoint()] })
    const { source, reader, asked } = await cover([memory])
    const reads = asked.length
    expect(reads).toBeGreaterThan(0)
    const again = (memories: readonly CheckpointMemory[], of: PlanSource = source) =>
      storedCheckpoint({ reader, memories }, of, { focus: null, digest: false })
    expect((await again([memory])).covering?.uptoSeq).toBe(4)
    expect(asked.length).toBe(reads)
    await again([memoryOf({ s1: [checkpoint({ tokens: 41 })] })])
    expect(asked.length).toBe(reads * 2)
    const failing = { ...reader, source: () => Promise.reject(new Error('gone')) }
    const other = { ...source }
    const once = storedCheckpoint({ reader: failing, memories: [memory] }, other, {
      focus: null,
      digest: false,
    })
    await expect(once).rejects.toThrow('gone')
    expect((await again([memory], other)).covering?.uptoSeq).toBe(4)
  })
})

describe('E11 the summary of a compaction that a text covers', () => {
  const say = (text: string) => ({ entryId: 'e', line: 1, role: 'user', text, calls: [], images: 0 }) as const
  const covering = { text: 'What happened so far.', tokens: 9, uptoSeq: 4 }
  const options = {
    sizeOf: (text: string) => text.length / 4,
    mask: (text: string) => text,
    isSecret: () => false,
    focus: null,
  }

  it('is that text alone where it covers everything', () => {
    expect(checkpointSummary(covering, [], { newestAsk: null, important: [] }, options)).toEqual({
      ...{ text: 'What happened so far.', source: 'checkpoint', by: null, calls: 0 },
      ...{ inputTokens: 0, outputTokens: 0, notes: [] },
    })
  })

  it('and a digest of what came after it, with what must be in every summary', () => {
    const later = [say('Please moor the barge at berth 4.'), say('And look after the pilot.')]
    const { text } = checkpointSummary(
      covering,
      later,
      {
        newestAsk: 'And look after the pilot.',
        important: ['Berth 9 stays empty.'],
        workspaceRules: '## Red Lines',
      },
      { ...options, focus: 'barge and buoy' },
    )
    expect(text, 'what was asked for in particular').toContain('barge and buoy')
    expect(text).toMatch(/^What happened so far\.\n\n/)
    expect(text).toContain('moor the barge at berth 4')
    expect(text).toContain('Berth 9 stays empty.')
    expect(text).toContain('<workspace-critical-rules>\n## Red Lines\n</workspace-critical-rules>')
    const masked = checkpointSummary(
      covering,
      [],
      { newestAsk: 'Is token-77 good for the lighthouse?' },
      { ...options, mask: (value) => value.replaceAll('token-77', '•') },
    )
    expect(masked.text).toContain('Is • good for the lighthouse?')
    const nothing = { ...options, mask: (value: string) => value.replaceAll('token-77', '•') }
    expect(checkpointSummary(covering, [], { newestAsk: null }, nothing).text).toBe('What happened so far.')
    const secret = checkpointSummary(
      covering,
      [say('Use token-77 at https://example.com/token-77 for berth 4.')],
      { newestAsk: null, important: [] },
      { ...options, isSecret: (value) => value.includes('token-77') },
    )
    expect(secret.text.split('## Exact identifiers')[1] ?? '').not.toContain('token-77')
  })

  it('the digest is the longer the more came after it', () => {
    const messages = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        say(`Please paint boat ${i} at https://example.com/boats/${i}. ${'word '.repeat(80)}`),
      )
    const nothing = { ...options, mask: (value: string) => value.replaceAll('token-77', '•') }
    const lengthOf = (count: number) =>
      checkpointSummary(covering, messages(count), { newestAsk: null }, nothing).text.length
    expect(lengthOf(120)).toBeGreaterThan(2 * lengthOf(10))
    expect(lengthOf(20), '256 tokens at least, and no more for little').toBeLessThan(256 * 4 + 50)
  })
})
