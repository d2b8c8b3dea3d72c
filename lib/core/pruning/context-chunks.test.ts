import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { PRESETS } from '../policy/presets'
import { resolvePolicy } from '../policy/resolve'
import { ChunkIndex } from '../relevance/chunk-index'
import { logisticScorer } from '../relevance/logistic-scorer'
import type { Scorer } from '../relevance/score'
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

test('H7: an important message marks its whole chunk, by the runtime’s mark as well', () => {
  const marked = (more: Partial<ChunkMessage>) =>
    contextChunks([
      message('assistant', '', call('a', 'read', { path: 'x' })),
      message('toolResult', 'text', { resultFor: 'a', ...more }),
    ])[0]?.important
  expect([marked({}), marked({ important: true }), marked({ text: 'IMPORTANT: keep' })]).toEqual([
    false,
    true,
    false,
  ])
})

test('a chunk is as young as its newest message, and its text is what was written and what came back', () => {
  const deep = (depth: number, value: unknown): unknown =>
    depth === 0 ? value : { in: deep(depth - 1, value) }
  const chunkOf = (input: Record<string, unknown>, answers: readonly Partial<ChunkMessage>[]) =>
    contextChunks([
      message('assistant', 'I look.', { calls: [{ id: 'a', name: 'find', input }], at: 50 }),
      ...answers.map((more) => message('toolResult', 'found', { resultFor: 'a', ...more })),
    ])[0]
  expect(chunkOf({}, [{ at: 70 }])?.at).toBe(70)
  expect(chunkOf({}, [{ at: 30 }])?.at).toBe(50)
  expect(chunkOf({}, [{ at: null }])?.at).toBe(50)
  expect(chunkOf({ path: 'a.ts', lines: [3, 'five'], all: true, none: null }, [{}])).toMatchObject({
    ...{ output: 'I look.\nfind a.ts\n3\nfive\ntrue\nnull', role: 'tool', tokens: 200, members: [0, 1] },
    text: 'I look.\nfind a.ts\n3\nfive\ntrue\nnull\nfound',
  })
  // Arguments that are nested seven deep are left out.
  expect(chunkOf(deep(6, 'here') as Record<string, unknown>, [])?.output).toBe('I look.\nfind here')
  expect(chunkOf(deep(7, 'here') as Record<string, unknown>, [])?.output).toBe('I look.\nfind ')
})

test('messages that were not written as an answer have no output; their role is the first one’s', () => {
  const roles = (['user', 'summary', 'other', 'assistant', 'toolResult'] as const).map(
    (role) => contextChunks([message(role, 'x')])[0],
  )
  expect(roles.map((chunk) => [chunk?.role, chunk?.output, chunk?.text])).toEqual([
    ['user', null, 'x'],
    ['summary', null, 'x'],
    ['other', null, 'x'],
    ['other', 'x', 'x'],
    ['tool', null, 'x'],
  ])
  expect(contextChunks([message('toolResult', 'x', { entryId: 'e9' })])[0]?.id).toBe('e9')
})

test('scores are made of the likeness, the age and the use of the same place; what is not known is said', () => {
  const chunks = contextChunks([
    message('user', 'one', { at: NOW - 5 }),
    message('user', 'IMPORTANT: two', { at: null }),
  ])
  const seen: unknown[] = []
  const scorer: Scorer = {
    name: 'seed',
    score: (signals) => {
      seen.push(signals)
      return { value: 0.5, scale: 'sum', parts: [] }
    },
  }
  const use = { callsSinceBorn: 1, callsSinceUse: 1, uses: 0, tokens: 9, outputSimilarity: 0, spanOverlap: 0 }
  const scored = scoreChunks(chunks, scorer, { similarity: [0.25], use: [use], now: NOW })
  expect(seen).toEqual([
    { similarity: 0.25, ageMs: 5, important: false, use },
    { similarity: 0, ageMs: null, important: true, use: null },
  ])
  expect(scored.map(({ text, score }) => [text, score.value])).toEqual([
    ['one', 0.5],
    ['IMPORTANT: two', 0.5],
  ])
  scoreChunks(chunks, scorer, { similarity: [0, 0.5], use: null, now: NOW })
  expect(seen.slice(2)).toEqual([
    { similarity: 0, ageMs: 5, important: false, use: null },
    { similarity: 0.5, ageMs: null, important: true, use: null },
  ])
})

test('use is followed in the order of the chunks: what a call wrote uses those before it, not its own', () => {
  const chunks = contextChunks([
    message('user', 'see src/quay/berth.ts'),
    message('assistant', 'reading src/quay/berth.ts', { tokens: 7 }),
  ])
  const signals = trackUse(chunks).signals([])
  expect(signals.map(({ uses, tokens, callsSinceBorn }) => [uses, tokens, callsSinceBorn])).toEqual([
    [1, 100, 1],
    [0, 7, 0],
  ])
})
