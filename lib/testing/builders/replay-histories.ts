import fc from 'fast-check'
import { type CallRoute, routeHash } from '../../core/transcript/fold/call-route'
import { findReplay } from '../../core/transcript/replay-plan'
import { checkpointRecord, retainedRecord, summaryRecord, suppressionRecord } from './checkpoint'
import { TranscriptBuilder } from './transcript'

type Fields = { readonly [key: string]: unknown }

/** A message as it lies in a history; content as a list, as OpenClaw has it once it is loaded. */
export type ReplayMessage = Fields & { readonly role: string; readonly content: readonly Fields[] }

/** The call that is to be made. */
export type NextCall = {
  readonly provider: string
  readonly api: string
  readonly model: string
  readonly baseUrl: string
  readonly sessionId: string | null
  readonly authProfileId: string | null
}

/** What is sent, as indexes into the history. */
export type SentPlan =
  | { readonly kind: 'full' }
  /** The host refuses until the session is compacted anew. */
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'prefix' | 'window'
      readonly owner: number
      /** Blocks of the owner's content that are left out. */
      readonly covers: number
      /** Messages of the window. */
      readonly window: number
      readonly later: readonly number[]
    }

export type ReplayHistory = { readonly messages: readonly ReplayMessage[]; readonly call: NextCall }

const PUBLIC = 'https://api.openai.com/v1'
const ANTHROPIC = 'https://api.anthropic.com'
const PROXY = 'https://proxy.example/v1'

const openaiCall: NextCall = {
  provider: 'openai',
  api: 'openai-responses',
  model: 'gpt-5.5',
  baseUrl: PUBLIC,
  sessionId: 's1',
  authProfileId: null,
}
const anthropicCall: NextCall = {
  ...openaiCall,
  provider: 'anthropic',
  api: 'anthropic-messages',
  model: 'claude-sonnet-4-5',
  baseUrl: ANTHROPIC,
}

/** The first value in nine of ten cases. */
function mostly(usual: string | null, ...others: readonly (string | null)[]): fc.Arbitrary<string | null> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
}

const calls: fc.Arbitrary<NextCall> = fc
  .record({
    base: fc.constantFrom(openaiCall, openaiCall, openaiCall, anthropicCall),
    model: mostly(null, 'gpt-5'),
    baseUrl: mostly(null, PROXY),
    sessionId: mostly('s1', null),
    authProfileId: mostly(null, 'work'),
  })
  .map(({ base, model, baseUrl, ...rest }) => ({
    ...base,
    ...rest,
    model: model ?? base.model,
    baseUrl: baseUrl ?? base.baseUrl,
  }))

/** The hidden parts of the route of a record: mostly those of the call, now and then others. */
const hiddenParts = fc.record({
  baseUrl: mostly(null, PROXY),
  sessionId: mostly('s1', 's2', null),
  authProfileId: mostly(null, 'work'),
})

const oddities: readonly Fields[] = [
  { v: 2 },
  { data: '' },
  { data: 7 },
  { data: 'rejected' },
  { replayIndex: -1 },
  { replayIndex: 1.5 },
  { replayIndex: '1' },
  { baseUrlHash: undefined },
  { sessionHash: 3 },
  { provider: 'azure-openai' },
  { model: 'gpt-5' },
  { api: 'azure-openai-responses' },
  { type: 'unheard-of' },
  { type: undefined },
  { id: 7 },
  { id: 'x'.repeat(80) },
  { compactedWindow: { state: 'refresh-required' } },
  { compactedWindow: { state: 'ready', output: '[' } },
  { compactedWindow: null },
  { encryptedContent: null },
  { encryptedContent: 5 },
]

const SPOILT: readonly unknown[] = [
  { state: 'refresh-required' },
  { state: 'ready', output: '[]' },
  { state: 'ready', output: '[{"type":"compaction","id":"cmp_1","encrypted_content":"another"}]' },
  {
    state: 'ready',
    output: '[{"type":"message"},{"type":"compaction","id":"cmp_1","encrypted_content":"gAAAAAopaque"}]',
  },
  null,
]

const records: fc.Arbitrary<unknown> = fc
  .record({
    kind: fc.constantFrom(
      'prefix',
      'prefix',
      'window',
      'windowed-prefix',
      'spoilt-window',
      'summary',
      'refusal',
      'refused-summary',
      'rubbish',
    ),
    index: fc.nat(4),
    texts: fc.array(fc.constantFrom('hello', 'where to?', 'ü 😀 "quoted"'), { maxLength: 3 }),
    hidden: hiddenParts,
    over: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom(...oddities)),
  })
  .map(({ kind, index, texts, hidden, over }) => {
    if (kind === 'rubbish') return [null, 7, 'text', [], {}][index]
    const isSummary = kind === 'summary' || kind === 'refused-summary'
    const route = {
      baseUrlHash: routeHash(hidden.baseUrl ?? (isSummary ? ANTHROPIC : PUBLIC)),
      ...(hidden.sessionId !== null && { sessionHash: routeHash(hidden.sessionId) }),
      ...(hidden.authProfileId !== null && { authProfileHash: routeHash(hidden.authProfileId) }),
    }
    const { compactedWindow } = retainedRecord(texts)
    const made = {
      prefix: () => checkpointRecord({ ...route, replayIndex: index }),
      window: () => retainedRecord(texts, route),
      'windowed-prefix': () => checkpointRecord({ ...route, replayIndex: index, compactedWindow }),
      'spoilt-window': () => retainedRecord(texts, { ...route, compactedWindow: SPOILT[index] }),
      summary: () => summaryRecord('All so far.', { ...route, replayIndex: index }),
      refusal: () => suppressionRecord(route),
      'refused-summary': () =>
        summaryRecord('rejected', {
          ...route,
          replayIndex: undefined,
          type: 'anthropic-compaction-suppression',
        }),
    }[kind]()
    // As it is read from a line: what is undefined is not there.
    return JSON.parse(JSON.stringify({ ...made, ...over }))
  })

const messages: fc.Arbitrary<ReplayMessage> = fc
  .record({
    role: fc.constantFrom('user', 'assistant', 'assistant', 'assistant', 'toolResult'),
    blocks: fc.nat(4),
    record: fc.option(records, { freq: 2 }),
  })
  .map(({ role, blocks, record }) => ({
    role,
    ...(role === 'assistant' && {
      provider: 'openai',
      api: 'openai-responses',
      model: 'gpt-5.5',
      stopReason: 'stop',
    }),
    ...(role === 'toolResult' && { toolCallId: 'c1', toolName: 'exec', isError: false }),
    content: Array.from({ length: blocks }, (_, i) => ({ type: 'text', text: `block ${i}` })),
    ...(record !== null && { providerReplay: record }),
  }))

/** Histories with checkpoints, refusals, foreign ways and windows, and a call that is to be made. */
export const replayHistories: fc.Arbitrary<ReplayHistory> = fc.record({
  messages: fc.array(messages, { minLength: 1, maxLength: 12 }),
  call: calls,
})

/** What we take to be sent. The history is read from the lines of a transcript, as always. */
export function ourPlan({ messages: history, call }: ReplayHistory): SentPlan {
  const t = new TranscriptBuilder()
  for (const message of history) t.message(message)
  const facts = t.facts().slice(1)
  const { provider, api, model } = call
  const route: CallRoute = {
    provider,
    api,
    model,
    session: null,
    hidden: {
      baseUrlHash: routeHash(call.baseUrl),
      sessionHash: routeHash(call.sessionId ?? ''),
      authProfileHash: routeHash(call.authProfileId ?? ''),
    },
  }
  const found = findReplay(facts, route)
  if (found === null) return { kind: 'full' }
  const { owner, checkpoint } = found
  const { kind, covers, windowMessages: window = 0 } = checkpoint
  if (kind === 'stale') return { kind: 'refused' }
  return { kind, owner, covers, window, later: range(owner + 1, facts.length) }
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
}
