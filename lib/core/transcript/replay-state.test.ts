import { describe, expect, it } from 'vitest'
import {
  checkpointRecord,
  OPENAI_ROUTE,
  summaryRecord,
  suppressionRecord,
} from '../../testing/builders/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { EMPTY_SUMS } from '../tokens/context-sums'
import type { EntryFact } from './entry'
import type { CallRoute } from './fold/call-route'
import { inEach, inOne, type NodeState, type SentState, sentOn, takeCheckpoint } from './replay-state'
import { SEND_START } from './send-rules'

const CALL: CallRoute = {
  ...{ provider: 'openai', model: 'gpt-5.5', api: 'openai-responses' },
  hidden: null,
  session: null,
}
const CLAUDE = { provider: 'anthropic', model: 'claude-sonnet-4-5', api: 'anthropic-messages' }
const CLAUDE_ROUTE = { ...OPENAI_ROUTE, ...CLAUDE }

const state = (overhead: number): SentState => ({
  sums: EMPTY_SUMS,
  anchor: null,
  overhead,
  send: SEND_START,
})
const OPENAI = { ...state(2), route: OPENAI_ROUTE }
const ANTHROPIC = { ...state(3), route: CLAUDE_ROUTE }
const FULL: NodeState = state(1)
const BOTH: NodeState = { ...FULL, replays: { openai: OPENAI, anthropic: ANTHROPIC } }
const more = (one: SentState): SentState => ({ ...state((one.overhead ?? 0) + 10) })

/** An answer with a record of its provider. */
function answer(providerReplay: object | undefined): EntryFact {
  const t = new TranscriptBuilder()
  t.message({ role: 'assistant', content: [{ type: 'text', text: 'yes' }], providerReplay })
  return t.facts()[1] as EntryFact
}

describe('B4 what a call is sent', () => {
  it.each<[string, NodeState, Partial<CallRoute>, object]>([
    ['all, where no provider has compacted', FULL, {}, { state: FULL, family: null }],
    ['what begins with the checkpoint of its way', BOTH, {}, { state: OPENAI, family: 'openai' }],
    ['that of the other family', BOTH, CLAUDE, { state: ANTHROPIC, family: 'anthropic' }],
    [
      'that of either, by an API that is not known',
      BOTH,
      { ...CLAUDE, api: null },
      { state: ANTHROPIC, family: 'anthropic' },
    ],
    ['all, on another way', BOTH, { model: 'gpt-5' }, { state: BOTH, family: null }],
    ['all, by an API that takes none', BOTH, { api: 'openai-completions' }, { state: BOTH, family: null }],
    ['all, where its family has none', { ...FULL, replays: { openai: OPENAI } }, CLAUDE, { family: null }],
  ])('is %s', (_name, node, route, expected) => {
    expect(sentOn(node, { ...CALL, ...route })).toMatchObject(expected)
  })
})

describe('B4 a change of contexts', () => {
  it('is one of each, which keep their ways', () => {
    expect(inEach(FULL, more)).toEqual(state(11))
    expect(inEach(FULL, (one) => one)).toBe(FULL)
    expect(inEach(BOTH, more)).toEqual({
      ...state(11),
      replays: { openai: { ...OPENAI, overhead: 12 }, anthropic: { ...ANTHROPIC, overhead: 13 } },
    })
    for (const replays of [{ openai: OPENAI }, { anthropic: ANTHROPIC }])
      expect(Object.keys(inEach({ ...FULL, replays }, more).replays ?? {})).toEqual(Object.keys(replays))
  })

  it('is one of one of them', () => {
    expect(inOne(FULL, null, more)).toStrictEqual(state(11))
    expect(inOne(BOTH, null, more)).toEqual({ ...BOTH, overhead: 11 })
    expect(inOne(BOTH, 'openai', more)).toEqual({
      ...FULL,
      replays: { openai: { ...OPENAI, overhead: 12 }, anthropic: ANTHROPIC },
    })
    expect(inOne(FULL, 'openai', more)).toBe(FULL)
  })
})

describe('B4 what an answer’s record changes for later calls', () => {
  const kept = (node: NodeState, record: object | undefined, session: string | null = null) =>
    takeCheckpoint(node, answer(record), session).replays

  it('a checkpoint takes the place of the one before it, of its family alone', () => {
    const taken = takeCheckpoint({ ...BOTH, overhead: 7 }, answer(checkpointRecord({ model: 'gpt-6' })), null)
    expect(taken).toMatchObject({
      overhead: 7,
      replays: {
        openai: {
          ...{ anchor: null, overhead: 7, route: { ...OPENAI_ROUTE, model: 'gpt-6' } },
          sums: { messages: 1 },
          send: { keepsOrphans: true },
        },
        anthropic: ANTHROPIC,
      },
    })
    expect(kept(FULL, summaryRecord('All in.'))).toMatchObject({ anthropic: { route: CLAUDE_ROUTE } })
    expect(kept(FULL, summaryRecord('All in.'))?.anthropic?.send).not.toHaveProperty('keepsOrphans')
  })

  it.each<[string, object | undefined]>([
    ['no record', undefined],
    ['a record of an unknown type', { type: 'x' }],
    ['a refusal that cannot be read', suppressionRecord({ v: 2 })],
    ['a refusal on another provider', suppressionRecord({ provider: 'xai' })],
    ['a refusal of another model', suppressionRecord({ model: 'gpt-5' })],
    ['a refusal by another API', suppressionRecord({ api: 'azure-openai-responses' })],
    ['a refusal in another session', suppressionRecord({ sessionHash: 'other' })],
  ])('%s changes nothing', (_name, record) => {
    const fact = answer(record)
    expect(takeCheckpoint(BOTH, fact, 'own')).toBe(BOTH)
    expect(takeCheckpoint(FULL, fact, 'own')).toBe(FULL)
  })

  it.each<[string, object]>([
    ['a refusal of it', suppressionRecord()],
    ['a refusal in the same session', suppressionRecord({ sessionHash: 'own' })],
    ['a newer one that cannot be read', checkpointRecord({ v: 2 })],
    ['a newer one whose window cannot be read', checkpointRecord({ compactedWindow: {} })],
    ['a newer one of another session', checkpointRecord({ sessionHash: 'other' })],
  ])('%s ends a checkpoint', (_name, record) => {
    expect(kept(BOTH, record, 'own')).toEqual({ anthropic: ANTHROPIC })
    const alone = takeCheckpoint({ ...FULL, replays: { openai: OPENAI } }, answer(record), 'own')
    expect(alone).toStrictEqual(FULL)
  })

  it('a refusal changes nothing where there is no checkpoint of its family', () => {
    const node = { ...FULL, replays: { anthropic: ANTHROPIC } }
    expect(takeCheckpoint(node, answer(suppressionRecord()), null)).toBe(node)
  })
})
