import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { PRESETS } from '../policy/presets'
import { resolvePolicy } from '../policy/resolve'
import { ChunkIndex } from '../relevance/chunk-index'
import { logisticScorer } from '../relevance/logistic-scorer'
import { seedScorer } from '../relevance/seed-scorer'
import { type ChunkMessage, contextChunks, scoreChunks, trackUse } from './context-chunks'
import { relevanceDrop } from './relevance-drop'

const HOUR = 3_600_000
const NOW = 1_000 * HOUR
let line = 0
const message = (
  role: ChunkMessage['role'],
  text: string,
  more: Partial<ChunkMessage> = {},
): ChunkMessage => ({
  entryId: `e${line++}`,
  role,
  text,
  calls: [],
  tokens: 100,
  at: NOW - 30 * HOUR,
  ...more,
})
const call = (id: string, name: string, input: Record<string, string>) => ({ calls: [{ id, name, input }] })

/** A session about a footer, with an errand in between, to which the prompt has nothing to do. */
const SESSION: readonly ChunkMessage[] = [
  message('summary', 'Earlier: set up the project.'),
  message('user', 'IMPORTANT: use tabs'),
  message('assistant', '', call('a', 'read', { path: 'src/tui/footer.ts' })),
  message('toolResult', 'export function renderClock() { return footer.clock }', { resultFor: 'a' }),
  message('assistant', '', call('b', 'bash', { command: 'npm outdated' })),
  message('user', 'the weather is fine', { at: null }),
  message('toolResult', 'express 4 to 5, lodash, moment', { resultFor: 'b', at: NOW - 29 * HOUR }),
  message('assistant', '', call('c', 'todo_write', { item: 'fix' })),
  message('toolResult', 'no such list', { resultFor: 'c', isError: true }),
]

test('H10: chunks are calls with their results, and single messages, in the order of their beginning', () => {
  const chunks = contextChunks(SESSION)
  expect(chunks.map(({ members }) => members)).toEqual([[0], [1], [2, 3], [4, 6], [5], [7, 8]])
  expect(chunks.map(({ role }) => role)).toEqual(['summary', 'user', 'tool', 'tool', 'user', 'tool'])
  expect(chunks.map(({ kinds }) => kinds.join())).toEqual([
    '',
    'human_input',
    '',
    '',
    'human_input',
    'error,plan',
  ])
  expect(chunks.map(({ important }) => important)).toEqual([false, true, false, false, false, false])
  expect(chunks[3]).toMatchObject({
    tokens: 200,
    at: NOW - 29 * HOUR,
    text: '\nbash npm outdated\nexpress 4 to 5, lodash, moment',
  })
  expect(chunks[4]?.at).toBeNull()
})

test('H12: a whole pass works without a model and without a net, by either scorer', () => {
  const memfas = resolvePolicy([{ level: 'preset', label: 'memfas', patch: PRESETS.memfas }]).policy
  const policy = { ...memfas, relevance: { ...memfas.relevance, minChunks: 0 } }
  const chunks = contextChunks(SESSION)
  const index = new ChunkIndex(chunks.map(({ text }) => text))
  const { similarity } = index.likeness('show the clock in src/tui/footer.ts')
  const tracker = trackUse(chunks)
  const use = tracker.signals(index.likeness(tracker.recentOutput).words)
  const given = { similarity, use, now: NOW }

  const scored = scoreChunks(chunks, seedScorer(DEFAULT_POLICY.relevance), given)
  const plan = relevanceDrop({ chunks: scored, policy, pass: 'compact', now: NOW, room: null })
  expect(plan.decisions.map(({ action, reason }) => `${action} ${reason}`)).toEqual([
    'keep summary',
    'keep important',
    // As short as its summary would be.
    'keep short',
    'drop low_relevance',
    'keep newest',
    'drop low_relevance',
  ])
  const logistic = scoreChunks(chunks, logisticScorer(), given)
  expect(logistic.every(({ score }) => score.scale === 'log-odds' && score.parts.length === 8)).toBe(true)
})
