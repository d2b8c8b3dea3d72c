import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HistoryMessage } from '../history/message'
import { findUnpaired } from '../history/pairing'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { PRESETS } from '../policy/presets'
import { resolvePolicy } from '../policy/resolve'
import { chunkGroups } from './chunk-groups'
import type { DropChunk } from './drop-chunk'
import { type DropInput, relevanceDrop } from './relevance-drop'

const memfas = resolvePolicy([{ level: 'preset', label: 'memfas', patch: PRESETS.memfas }]).policy
const NOW = 1_000_000_000_000
const DAY = 86_400_000

const chunk = (value: number, changed: Partial<DropChunk> = {}, place = 0): DropChunk => ({
  id: `c${place}`,
  members: [place],
  tokens: 1000,
  at: NOW - DAY,
  role: 'other',
  important: false,
  kinds: [],
  score: { value, scale: 'sum', parts: [] },
  ...changed,
})
const list = (...values: (number | [number, Partial<DropChunk>])[]) =>
  values.map((one, place) => (typeof one === 'number' ? chunk(one, {}, place) : chunk(one[0], one[1], place)))

/** A pass by the rules of memfas, without its five newest chunks unless asked for. */
function pass(chunks: DropChunk[], changed: Partial<DropInput> & { minChunks?: number } = {}) {
  const { minChunks = 0, ...input } = changed
  const policy: Policy = { ...memfas, relevance: { ...memfas.relevance, minChunks } }
  return relevanceDrop({ chunks, policy, pass: 'compact', now: NOW, room: null, ...input })
}
const actions = (chunks: DropChunk[], changed?: Parameters<typeof pass>[1]) =>
  pass(chunks, changed).decisions.map(({ action, reason }) => `${action} ${reason}`)

test('H5: keep from .7, drop up to .3, summarise between', () => {
  expect(actions(list(0.7, 0.3, 0.5, 0.69, 0.31))).toEqual([
    'keep relevant',
    'drop low_relevance',
    'summarise medium',
    'summarise medium',
    'summarise medium',
  ])
})

test('H6: of 12 irrelevant chunks the last five stay word for word', () => {
  const scores = Array.from({ length: 12 }, (_, i) => (12 - i) / 100)
  expect(actions(list(...scores), { minChunks: 5 })).toEqual([
    ...Array<string>(7).fill('drop low_relevance'),
    ...Array<string>(5).fill('keep chunks'),
  ])
  // The best of the dropped ones are not put in their place as medium ones.
  const tied = pass(list(0.5, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1), { minChunks: 5 })
  expect(tied.decisions.slice(2).every(({ action }) => action === 'keep')).toBe(true)
})

test('H7: what is important stays whatever it scores', () => {
  expect(actions(list([0.1, { important: true }], 0.1))).toEqual(['keep important', 'drop low_relevance'])
})

test('H9: curation lets go what is of no use, and summarises nothing', () => {
  const { decisions, dropped, tokensBefore, tokensAfter } = pass(list(0.1, 0.5, 0.9), { pass: 'curate' })
  expect(decisions.map(({ action }) => action)).toEqual(['drop', 'keep', 'keep'])
  expect({ dropped, tokensBefore, tokensAfter }).toEqual({
    dropped: 1,
    tokensBefore: 3000,
    tokensAfter: 2000,
  })
})

describe('D19: medium chunks', () => {
  test('are summarised to at most the target, in their place', () => {
    const { decisions, summarised } = pass(list(0.9, 0.5, 0.9))
    expect(decisions.map(({ tokensAfter }) => tokensAfter)).toEqual([1000, 500, 1000])
    expect(summarised).toBe(1)
  })

  test('stay as they are where a summary would not be shorter, or none is wanted', () => {
    expect(actions(list([0.5, { tokens: 500 }]))).toEqual(['keep short'])
    const policy = { ...memfas, summary: { ...memfas.summary, mediumChunks: false } }
    expect(
      relevanceDrop({
        chunks: list(0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
        policy,
        pass: 'compact',
        now: NOW,
        room: null,
      }).decisions[1],
    ).toMatchObject({ action: 'keep', reason: 'unsummarised' })
  })
})

describe('A13: the hard line', () => {
  test('the lowest scores go first, of equal ones the oldest, until the rest is below', () => {
    const plan = pass(list(0.9, 0.8, 0.8, 0.95), { room: 2000 })
    expect(plan.decisions.map(({ action, reason }) => `${action} ${reason}`)).toEqual([
      'keep relevant',
      'drop hard_limit',
      'drop hard_limit',
      'keep relevant',
    ])
    expect(plan).toMatchObject({ tokensAfter: 2000, failure: null })
    expect(pass(list(0.9, 0.8, 0.8, 0.95), { room: 3000 }).decisions.map(({ action }) => action)).toEqual([
      'keep',
      'drop',
      'keep',
      'keep',
    ])
  })

  test('summaries of medium chunks go before what is relevant', () => {
    expect(actions(list(0.9, 0.5), { room: 1200 })).toEqual(['keep relevant', 'drop hard_limit'])
  })

  test('failure is reported when all that is left is protected', () => {
    const plan = pass(list([0.1, { important: true }], 0.9), { room: 600 })
    expect(plan.decisions.map(({ action }) => action)).toEqual(['keep', 'drop'])
    expect(plan.failure).toEqual({ over: 400, protectedTokens: 1000 })
  })
})

test('I9: with cold storage off nothing is dropped for good, and the hard line says so', () => {
  const policy = {
    ...memfas,
    relevance: { ...memfas.relevance, minChunks: 0 },
    coldStorage: { ...memfas.coldStorage, enabled: false },
  }
  const plan = relevanceDrop({ chunks: list(0.1, 0.9), policy, pass: 'compact', now: NOW, room: 500 })
  expect(plan.decisions.map(({ reason }) => reason)).toEqual(['no_cold_storage', 'relevant'])
  expect(plan.failure).toEqual({ over: 1500, protectedTokens: 0 })
})

test('H7: the rules that keep unite, each by its own knob', () => {
  const chunks = list(
    [0.1, { role: 'summary' }],
    [0.1, { role: 'user' }],
    0.1,
    [0.1, { kinds: ['plan'] }],
    [0.1, { role: 'user' }],
    [0.1, { role: 'tool', at: NOW - 61_000 }],
    [0.1, { role: 'tool', at: NOW - 59_000 }],
    [0.1, { at: NOW - 299_000 }],
    [0.1, { at: null }],
    0.1,
  )
  const rules = (history: number, messages: number) =>
    relevanceDrop({
      chunks,
      policy: {
        ...DEFAULT_POLICY,
        relevance: { ...DEFAULT_POLICY.relevance, minChunks: 0 },
        history: { ...DEFAULT_POLICY.history, recentTurns: history },
        pruning: { ...DEFAULT_POLICY.pruning, keepLastMessages: messages },
      },
      pass: 'compact',
      now: NOW,
      room: null,
    }).decisions.map(({ protectedBy }) => protectedBy.join('+'))
  expect(rules(0, 0)).toEqual(['summary', '', '', 'kind', 'newest', '', 'recent', 'recent', '', ''])
  expect(rules(1, 2)).toEqual([
    'summary',
    '',
    '',
    'kind',
    'newest+turns',
    'turns',
    'turns+recent',
    'turns+recent',
    'turns+messages',
    'turns+messages',
  ])
})

const step = fc.oneof(
  fc.constant('user' as const),
  fc.constant('text' as const),
  fc.record({
    calls: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 }),
    late: fc.boolean(),
  }),
)
/** A conversation in which every call is answered once, some of them only after other messages. */
function conversation(
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
): HistoryMessage[] {
  const messages: HistoryMessage[] = []
  let late: HistoryMessage[] = []
  for (const one of steps) {
    if (one === 'user') messages.push({ role: 'user' })
    else if (one === 'text') messages.push({ role: 'assistant' })
    else {
      messages.push({ role: 'assistant', calls: one.calls.map((id) => ({ id })) })
      const results = one.calls.map((id) => ({ role: 'toolResult', resultFor: id }))
      if (one.late) late.push(...results)
      else messages.push(...results)
      continue
    }
    messages.push(...late)
    late = []
  }
  return [...messages, ...late]
}

test('H10: any pass keeps pairs whole, order and what is protected, and its sums are right', () => {
  const scores = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      scores,
      fc.integer({ min: 0, max: 20_000 }),
      fc.constantFrom('curate', 'compact'),
      fc.constantFrom(memfas, DEFAULT_POLICY),
      (steps, values, room, kind, policy) => {
        const messages = conversation(steps)
        const chunks = chunkGroups(messages).map((members, place) =>
          chunk(
            values.next().value ?? 0,
            {
              members,
              tokens: 100 + 300 * place,
              role: messages[members[0] ?? 0]?.role === 'user' ? 'user' : 'other',
              important: place % 7 === 3,
            },
            place,
          ),
        )
        const input: DropInput = { chunks, policy, pass: kind, now: NOW, room }
        const plan = relevanceDrop(input)
        expect(relevanceDrop(input)).toEqual(plan)
        expect(plan.decisions.map((decision) => decision.chunk)).toEqual(chunks)
        const left = plan.decisions.filter(({ action }) => action !== 'drop')
        expect(
          plan.decisions.every(({ action, protectedBy }) => action === 'keep' || protectedBy.length === 0),
        ).toBe(true)
        expect(plan.tokensAfter).toBe(left.reduce((total, { tokensAfter }) => total + tokensAfter, 0))
        expect(plan.failure === null).toBe(plan.tokensAfter <= room)
        const places = left.flatMap((decision) => decision.chunk.members).sort((a, b) => a - b)
        const kept = places.flatMap((place) => messages[place] ?? [])
        expect(findUnpaired(kept)).toEqual({ orphans: [], unanswered: [] })
        const newest = chunks.findLast(({ role }) => role === 'user')
        if (newest !== undefined) expect(left.some((decision) => decision.chunk === newest)).toBe(true)
      },
    ),
  )
})
