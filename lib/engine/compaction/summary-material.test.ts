import { describe, expect, it } from 'vitest'
import type { CompactionPlan, PlanChunk } from '../../core/compaction/plan'
import { estimated } from '../../core/tokens/figure'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import { readMaterial, readMessages } from './summary-material'

/** A plan that keeps from an entry on, with these requests and chunks. */
function planFrom(
  firstKeptEntryId: string,
  requests: Partial<CompactionPlan['requests']> = {},
  chunks: readonly Partial<PlanChunk>[] = [],
): CompactionPlan {
  return {
    kind: 'plan',
    window: 1_000,
    tokensBefore: estimated(100, 10),
    tokensAfter: estimated(50, 10),
    before: {},
    after: {},
    firstKeptEntryId,
    chunks: chunks.map((chunk) => ({
      ...{ entryIds: [], seqs: [], action: 'summarise', rule: 'cut', tokens: 1, byCategory: {} },
      ...chunk,
    })),
    requests: { pruned: [], parts: [], prefix: [], oversized: [], ...requests },
    summary: { source: 'digest', tokens: 10 },
    recordTokensBefore: 100,
    cost: { calls: 0, inputTokens: 0, outputTokens: 0, usd: 0, source: null, cacheLost: null },
    warnings: [],
  }
}

async function opened(builder: TranscriptBuilder) {
  const stored = await memorySession(builder.text())
  return { ...stored, source: await planSourceOf(stored) }
}
const texts = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text)

/** Entry n has sequence number n: the header is 0. */
function conversation(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  for (const n of [1, 3, 5, 7, 9]) {
    session.user(`ask ${n}`)
    session.assistant(`answer ${n + 1}`)
  }
  return session
}

describe('what a summary is written from', () => {
  it('what cannot be read any more is left out, the summary before included', async () => {
    const session = conversation()
    session.compaction('Before.', 'e9')
    session.user('on')
    const { reader, source } = await opened(session)
    const torn: typeof reader = {
      ...reader,
      source: async (store, transcript, fact) =>
        [3, 11].includes(fact.seq) ? '{"torn' : reader.source(store, transcript, fact),
    }
    const requests = { pruned: [3], parts: [[2, 3]], oversized: [3, 4] }
    const material = await readMaterial(torn, source, planFrom('e7', requests))
    expect(material.previous).toBeNull()
    expect(material.pruned).toEqual([])
    expect(material.parts.map(texts)).toEqual([['answer 2']])
    const path = source.path.map((one) =>
      [3, 4].includes(one.fact.seq) ? { ...one, fact: { ...one.fact, important: true as const } } : one,
    )
    const marked = await readMaterial(torn, { ...source, path }, planFrom('e7', requests))
    expect(marked.important).toEqual(['answer 4'])
    expect(material.oversized.map(({ message }) => message.text)).toEqual(['answer 4'])
    expect((await readMaterial(reader, source, planFrom('e7', requests))).previous).toBe('Before.')
  })

  it('the messages of each request as the plan divides them, and all before the cut as the archive', async () => {
    const { reader, source } = await opened(conversation())
    const requests = { pruned: [1], parts: [[2, 3], [4]], prefix: [5], oversized: [6] }
    const material = await readMaterial(reader, source, planFrom('e7', requests))
    expect(texts(material.pruned)).toEqual(['ask 1'])
    expect(material.parts.map(texts)).toEqual([['answer 2', 'ask 3'], ['answer 4']])
    expect(texts(material.prefix)).toEqual(['ask 5'])
    const size = source.path.find(({ fact }) => fact.seq === 6)?.size
    expect(size).toBeGreaterThan(0)
    expect(material.oversized).toMatchObject([{ message: { text: 'answer 6', line: 7 }, tokens: size }])
    expect(texts(material.archive)).toEqual(['ask 1', 'answer 2', 'ask 3', 'answer 4', 'ask 5', 'answer 6'])
    expect(material).toMatchObject({ previous: null, newestAsk: null, important: [], workspaceRules: null })
  })

  it('what was asked last, where it does not stay', async () => {
    const { reader, source } = await opened(conversation())
    const chunks = [
      { rule: 'cut', seqs: [1] },
      { rule: 'asked', seqs: [3] },
    ] as const
    expect((await readMaterial(reader, source, planFrom('e7', {}, chunks))).newestAsk).toBe('ask 3')
    const nowhere = [{ rule: 'asked', seqs: [] }] as const
    expect((await readMaterial(reader, source, planFrom('e7', {}, nowhere))).newestAsk).toBeNull()
  })

  it('the last three turns of what is summarised, or all where there are fewer', async () => {
    const { reader, source } = await opened(conversation())
    const recent = async (...parts: number[][]) =>
      texts((await readMaterial(reader, source, planFrom('e10', { parts }))).recentTurns)
    expect(await recent([1, 2, 3, 4], [5, 6, 7, 8])).toEqual([
      ...['ask 3', 'answer 4', 'ask 5', 'answer 6', 'ask 7', 'answer 8'],
    ])
    expect(await recent([1, 2, 3])).toEqual(['ask 1', 'answer 2', 'ask 3'])
    expect(await recent([2, 4])).toEqual(['answer 2', 'answer 4'])
  })

  it('the summary before, wherever it is, and what was marked in it; the archive is the messages alone', async () => {
    const session = conversation()
    session.compaction('<marked-important>\nNever moor there.\n</marked-important>', 'e3')
    session.user('IMPORTANT: berth 9 stays empty.')
    session.user('newest')
    const { reader, source } = await opened(session)
    const behind = await readMaterial(reader, source, planFrom('e7'))
    expect(behind.previous).toContain('Never moor there.')
    expect(texts(behind.archive)).toHaveLength(6)
    expect(behind.important).toEqual(['Never moor there.'])
    const before = await readMaterial(reader, source, planFrom('e13'))
    expect(before.previous).toBe(behind.previous)
    expect(texts(before.archive)).not.toContain(before.previous)
    expect(texts(before.archive)).toHaveLength(11)
    expect(before.important?.at(-1)).toBe('IMPORTANT: berth 9 stays empty.')
  })

  it('rules of the workspace that the session was begun in', async () => {
    const { reader, source } = await opened(conversation())
    const rulesOf = async ({ store }: { store: { root: string } }) => `rules of ${store.root}`
    expect((await readMaterial(reader, source, planFrom('e7'), rulesOf)).workspaceRules).toBe(
      'rules of /store',
    )
  })

  it('is not read twice', async () => {
    const { reader, source, asked } = await opened(conversation())
    const known = new Map()
    await readMaterial(reader, source, planFrom('e3'), undefined, known)
    expect(asked).toEqual([1, 2])
    await readMaterial(reader, source, planFrom('e5'), undefined, known)
    expect(asked).toEqual([1, 2, 3, 4])
  })

  it('of an archive beyond 32 MB the newest part is read', async () => {
    const { reader, source, asked } = await opened(conversation())
    const large = {
      ...source,
      path: source.path.map((one) => ({ ...one, fact: { ...one.fact, bytes: 8 * 1024 * 1024 } })),
    }
    const small = {
      ...reader,
      texts: undefined,
      source: async () => '{"type":"message","message":{"role":"user","content":"x"}}',
    }
    const material = await readMaterial(small, large, planFrom('e7'))
    expect(asked).toEqual([])
    expect(material.archive.map(({ line }) => line)).toEqual([4, 5, 6, 7])
  })
})

describe('messages of a transcript', () => {
  it('come in the order of the transcript, with what each says; what says nothing to a model is left out', async () => {
    const session = new TranscriptBuilder()
    session.user('one')
    session.entry('custom', { data: 1 })
    session.entry('custom_message', { content: 'two' })
    session.entry('branch_summary', { summary: 'three', fromId: 'e1' })
    session.compaction('four', 'e1')
    session.entry('message', { message: 7 })
    const { reader, source, asked } = await opened(session)
    const facts = [...source.session.facts].reverse()
    const messages = await readMessages(reader, source, facts)
    expect([...messages].map(([seq, { role, text, entryId }]) => [seq, role, text, entryId])).toEqual([
      [1, 'user', 'one', 'e1'],
      [3, 'other', 'two', 'e3'],
      [4, 'summary', 'three', 'e4'],
      [5, 'summary', 'four', 'e5'],
    ])
    expect(asked).not.toContain(2)
  })

  it('of a very long one only beginning and end are held', async () => {
    const session = new TranscriptBuilder()
    session.user('a'.repeat(200_000))
    session.user(`${'b'.repeat(100_000)}c${'d'.repeat(100_000)}`)
    const { reader, source } = await opened(session)
    const messages = [...(await readMessages(reader, source, source.session.facts)).values()]
    expect(messages[0]?.text).toBe('a'.repeat(200_000))
    expect(messages[1]?.text).toBe(`${'b'.repeat(100_000)}\n…\n${'d'.repeat(100_000)}`)
  })

  it('that cannot be parsed any more are left out', async () => {
    const { reader, source } = await opened(conversation())
    const answers = ['{', '[]', '{"type":"message","message":{"role":"user","content":"here"}}']
    const odd = { ...reader, source: async () => answers.shift() ?? '' }
    const messages = await readMessages(odd, source, source.session.facts.slice(1, 4))
    expect([...messages].map(([seq, { text }]) => [seq, text])).toEqual([[3, 'here']])
  })
})
