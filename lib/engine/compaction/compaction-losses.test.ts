import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import { compactionDetail } from './compaction-losses'

async function detailOf(
  build: (session: TranscriptBuilder) => void,
  over: Partial<Parameters<typeof compactionDetail>[2]> = {},
) {
  const session = new TranscriptBuilder()
  session.user('Moor the barge at src/quay.ts, ticket HARB-4711.')
  session.assistant('Moored.')
  session.user('Go on with src/crane.ts.')
  build(session)
  const stored = await memorySession(session.text())
  const compaction = { seq: 4, summarised: [1, 2], kept: [3], ...over }
  return compactionDetail(stored.reader, stored.session, compaction)
}

describe('what a compaction lost', () => {
  it('is named by what its summary does not say, and looked for in what came later', async () => {
    const detail = await detailOf((session) => {
      session.compaction('The barge is moored.', 'e3')
      session.user('What was HARB-4711 about?')
      session.assistant('src/quay.ts')
    })
    expect(detail).toMatchObject({ summary: 'The barge is moored.', lookedAt: 2, complete: true })
    expect(JSON.stringify(detail.losses)).toContain('src/quay.ts')
    const reported = await detailOf((session) => {
      session.compaction('The barge is moored by src/quay.ts, ticket HARB-4711.', 'e3')
    })
    expect(JSON.stringify(reported.losses)).not.toContain('"src/quay.ts"')
    expect(reported).toMatchObject({ lookedAt: 0, complete: true })
  })

  it('is all of it where its record cannot be read', async () => {
    const session = new TranscriptBuilder()
    const first = session.user('Moor the barge at src/quay.ts.')
    session.compaction('Moored at src/quay.ts.', first)
    const { reader, session: read } = await memorySession(session.text())
    const source: typeof reader.source = async (store, transcript, fact) =>
      fact.seq === 2 ? '{"torn' : reader.source(store, transcript, fact)
    const compaction = { seq: 2, summarised: [1], kept: [] }
    const { summary, losses } = await compactionDetail({ ...reader, source }, read, compaction)
    expect(summary).toBe('')
    expect(JSON.stringify(losses)).toContain('src/quay.ts')
  })

  it.each(['compaction', 'reset'])('is looked for up to the next boundary alone: %s', async (type) => {
    const detail = await detailOf((session) => {
      session.compaction('so far', 'e3')
      session.user('one')
      session.user('two')
      session.entry(type, { summary: 'again', firstKeptEntryId: 'e6' })
      session.user('three')
    })
    expect(detail).toMatchObject({ lookedAt: 2, complete: true })
  })

  it('is looked for in the next two thousand entries', async () => {
    const detail = await detailOf((session) => {
      session.compaction('so far', 'e3')
      for (let i = 0; i < 2_001; i++) session.entry('custom', { i })
    })
    expect(detail).toMatchObject({ lookedAt: 2_000, complete: false })
    const all = await detailOf((session) => {
      session.compaction('so far', 'e3')
      for (let i = 0; i < 2_000; i++) session.entry('custom', { i })
    })
    expect(all).toMatchObject({ lookedAt: 2_000, complete: true })
  })

  it('is unknown where the provider keeps its summary to itself', async () => {
    const provider = { readable: false } as NonNullable<Parameters<typeof compactionDetail>[2]['provider']>
    expect(await detailOf((session) => session.user('x'), { provider })).toEqual({
      ...{ summary: null, losses: null, lookedAt: 0, complete: true },
    })
  })

  it('of a provider that shows it, the summary is what it left on its answer, and the answer stays', async () => {
    const provider = { readable: true } as NonNullable<Parameters<typeof compactionDetail>[2]['provider']>
    const answer = (providerReplay: unknown) => (session: TranscriptBuilder) => {
      session.assistant('I go on with src/crane.ts.', { fields: { providerReplay } })
    }
    const detail = await detailOf(answer({ data: 'The barge lies at HARB-4711.' }), { provider })
    expect(detail.summary).toBe('The barge lies at HARB-4711.')
    const lost = (words: string) => async () => {
      const other = await detailOf(
        (session) => {
          session.assistant(words, { fields: { providerReplay: { data: 'So far.' } } })
        },
        { provider },
      )
      return JSON.stringify(other.losses)
    }
    expect(await lost('I go on.')()).toContain('src/quay.ts')
    expect(await lost('I go on with src/quay.ts.')()).not.toContain('"src/quay.ts"')
    for (const replay of [undefined, 7, { data: 7 }, { data: '' }])
      expect((await detailOf(answer(replay), { provider })).summary).toBe('')
    const long = await detailOf(answer({ data: 'x'.repeat(200_001) }), { provider })
    expect(long.summary).toHaveLength(200_000)
  })
})
