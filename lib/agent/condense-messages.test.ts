import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { estimateUnits } from '../core/tokens/estimate'
import { SummaryChain } from '../engine/summary/summary-chain'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { condenseChunks } from './condense-messages'

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

test('D20: a model that is down is asked once and told of once; nothing is lost', async () => {
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
