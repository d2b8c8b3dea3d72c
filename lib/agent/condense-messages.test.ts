import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { estimateUnits } from '../core/tokens/estimate'
import { SummaryChain } from '../engine/summary/summary-chain'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { condenseChunks, condenseMessages } from './condense-messages'

const long = (name: string) => ({
  id: name,
  locator: '',
  text: Array.from({ length: 300 }, (_, i) => `${name}: line ${i} of the log about the berth`).join('\n'),
})
const CHUNKS = [long('one'), long('two'), long('three')]

/** Runs with a model that answers so, one reply per request. */
async function run(replies: Parameters<typeof scriptedSummarizer>[1] | null, chunks = CHUNKS) {
  const model = scriptedSummarizer('scripted/model', replies ?? [])
  const chain = replies === null ? null : new SummaryChain([model], standingClock())
  const mask = (text: string) => text.replaceAll('berth', '***')
  const outcome = await condenseChunks(chunks, { policy: DEFAULT_POLICY, chain, sizeOf: estimateUnits, mask })
  return {
    ...outcome,
    asked: model.asked,
    sources: outcome.chunks.map(({ id, source }) => `${id} ${source}`),
  }
}

test('D19: medium chunks are said in short by the model, in order, within 500 tokens', async () => {
  const { chunks, sources, asked } = await run(['first', 'word '.repeat(900), 'third'])
  expect(sources).toEqual(['one model', 'two model', 'three model'])
  expect(chunks[0]).toEqual({ id: 'one', text: 'first', source: 'model', by: 'scripted/model' })
  expect(chunks.every(({ text }) => estimateUnits(text) <= 500)).toBe(true)
  expect(asked[0]).toMatchObject({ maxTokens: 500 })
  expect(asked[0]?.prompt.user).toContain('line 7 of the log about the ***')
})

test('D20: without a model they are shortened, and what is short already stays', async () => {
  const { chunks, sources, notes } = await run(null, [
    ...CHUNKS.slice(0, 1),
    { id: 'short', locator: '', text: 'short' },
  ])
  expect(sources).toEqual(['one mechanical', 'short unchanged'])
  expect(chunks[0]?.text).toContain('one: line 0')
  expect(estimateUnits(chunks[0]?.text ?? '')).toBeLessThanOrEqual(500)
  expect(notes).toEqual([])
})

test('D20: a model that is down is asked once and reported once; nothing is lost', async () => {
  const { sources, notes, asked } = await run(['fine', { fault: 'refused-key' }])
  expect(sources).toEqual(['one model', 'two mechanical', 'three mechanical'])
  expect(asked).toHaveLength(2)
  expect(notes).toEqual(['scripted/model is down.'])
})

test('D20: an answer that is empty or longer than the text is not taken', async () => {
  const { sources, notes } = await run([' ', 'more '.repeat(9000), 'third'])
  expect(sources).toEqual(['one mechanical', 'two mechanical', 'three model'])
  expect(notes).toEqual([
    'scripted/model: The answer is empty.',
    'scripted/model: The answer is no shorter than the text.',
  ])
})

test('D20: nor is one as long as the text', async () => {
  const [chunk = long('one')] = CHUNKS
  const said = (text: string) => run([text], [chunk])
  const other = chunk.text.replaceAll('one', 'two')
  expect((await said(other)).sources).toEqual(['one mechanical'])
  expect((await said(other.slice(0, -40))).sources).toEqual(['one model'])
})

/** Messages of one chunk, and what becomes of them in short. */
async function shorten(
  read: readonly { readonly role: 'user' | 'assistant' | 'toolResult'; readonly text: string }[],
  more: {
    readonly target?: number
    readonly cold?: boolean
    readonly canShorten?: boolean
    readonly replies?: string[]
  } = {},
) {
  const { target = 500, cold = true, canShorten = true, replies } = more
  const model = scriptedSummarizer('scripted/model', replies ?? [])
  const messages = read.map(({ text }) => text)
  const chunk = { id: 'c1', tokens: 4_000, members: read.map((_, place) => place) }
  const outcome = await condenseMessages<string>({
    messages,
    read: read.map(({ role, text }) => ({ role, text, calls: [] }) as never),
    chunks: [chunk as never],
    policy: {
      ...DEFAULT_POLICY,
      summary: { ...DEFAULT_POLICY.summary, targetTokens: target },
      coldStorage: { ...DEFAULT_POLICY.coldStorage, enabled: cold },
    },
    form: (canShorten ? { withText: (_: string, text: string) => text } : {}) as never,
    chain: replies === undefined ? null : new SummaryChain([model], standingClock()),
    summary: { sizeOf: estimateUnits, mask: (text) => text },
  })
  return {
    ...outcome,
    asked: model.asked,
    texts: messages.map((text, place) => outcome.replaced.get(place) ?? text),
  }
}
const LONG = long('log').text

test('D19: of a call with its results the results are said in short, of anything else the first that says something', async () => {
  const call = { role: 'assistant', text: LONG } as const
  const result = { role: 'toolResult', text: LONG } as const
  const of = async (...read: Parameters<typeof shorten>[0]) => [...(await shorten(read)).replaced.keys()]
  expect(await of(call, result, result)).toEqual([1, 2])
  expect(await of({ role: 'user', text: '  ' }, call, call)).toEqual([1])
  expect(await of({ role: 'toolResult', text: ' ' }, call)).toEqual([1])
})

test('D19: what is said in short says how long it was and where its whole text is, as far as that is kept', async () => {
  const read = [{ role: 'user', text: LONG }] as const
  const said = await shorten(read, { replies: ['A log.'] })
  expect(said.texts).toEqual(['[summary of 4000 tokens; whole text in cold storage, chunk c1]\nA log.'])
  expect(said.chunks.map(({ id }) => id)).toEqual(['c1'])
  const bare = await shorten(read, { replies: ['A log.'], cold: false })
  expect(bare.texts).toEqual(['[summary of 4000 tokens]\nA log.'])
  const alone = await shorten(read)
  expect(alone.texts[0]).toContain('whole text in cold storage, chunk c1')
  expect(alone.texts[0]).not.toContain('[summary of')
})

test('D19: results of one call share the room, and their note is counted in it', async () => {
  const results = [1, 2].map(() => ({ role: 'toolResult', text: LONG }) as const)
  const { asked } = await shorten(results, { replies: ['A log.'], target: 200 })
  const note = estimateUnits('[summary of 4000 tokens; whole text in cold storage, chunk c1]')
  expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([100 - note, 100 - note])
})

test('D20: what cannot be made shorter stays, and is not said to be shorter', async () => {
  const nothing = { replaced: new Map(), chunks: [], notes: [] }
  expect(await shorten([{ role: 'user', text: 'short' }])).toMatchObject(nothing)
  expect(await shorten([{ role: 'user', text: LONG }], { canShorten: false })).toMatchObject(nothing)
  // No room is left beside the note.
  const note = estimateUnits('[summary of 4000 tokens; whole text in cold storage, chunk c1]')
  expect(await shorten([{ role: 'user', text: LONG }], { target: note + 23 })).toMatchObject(nothing)
  expect((await shorten([{ role: 'user', text: LONG }], { target: note + 24 })).replaced.size).toBe(1)
})

test('D20: a model that is down is asked for one chunk alone; a chunk that says nothing asks for none', async () => {
  const asked = async (
    texts: readonly string[],
    replies: Parameters<typeof scriptedSummarizer>[1],
    chunks = texts.map((_, place) => [place]),
  ) => {
    const model = scriptedSummarizer('scripted/model', replies)
    const { notes } = await condenseMessages<string>({
      messages: texts,
      read: texts.map((text) => ({ role: 'toolResult', text, calls: [] }) as never),
      chunks: chunks.map((members, i) => ({ id: `c${i}`, tokens: 4_000, members })) as never,
      policy: DEFAULT_POLICY,
      form: { withText: (_: string, text: string) => text } as never,
      chain: new SummaryChain([model], standingClock()),
      summary: { sizeOf: estimateUnits, mask: (text) => text },
    })
    return [model.asked.length, notes]
  }
  expect(await asked([LONG, LONG], [{ fault: 'refused-key' }])).toEqual([1, ['scripted/model is down.']])
  expect(await asked([' ', LONG, LONG], ['A log.'])).toEqual([2, []])
  // One answer that is of no use is no model that is down.
  const useless = 'more '.repeat(9_000)
  const pair = [[0, 1], [2]]
  expect(await asked([LONG, LONG, LONG], ['A log.', useless, 'A log.'], pair)).toEqual([
    3,
    ['scripted/model: The answer is no shorter than the text.'],
  ])
})
