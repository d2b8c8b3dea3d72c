import type { ContentMessage } from '../../core/history/thinking'
import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { prunePlan } from '../../core/pruning/prune-plan'
import { rulesOf } from '../../core/pruning/prune-rules'
import { Prunable, prunableContext, type RawMessage } from '../builders/prunable'
import { liveAgent, turnsOf } from '../live-conversation'
import { type Effect, effects } from './effect'

const LONG = 'berth 4 is free. '.repeat(400)
const HOUR = 3_600_000

/** Work of every kind that a rule knows, and more turns after it. */
function work(): RawMessage[] {
  const made = new Prunable()
    .user('Plan the harbour.')
    .says('The plan: build.')
    .call('read', { path: 'a.ts' }, LONG)
    .call('read', { path: 'a.ts' }, LONG)
    .call('bash', { command: 'ls' }, LONG)
    .call('bash', { command: 'ls' }, LONG)
    .call('write', { path: 'b.ts', content: LONG }, 'written')
    .call('write', { path: 'b.ts', content: LONG }, 'written')
    .call('bash', { command: `false ${LONG}` }, `Error: it failed. ${LONG}`, { isError: true })
    .call('memory_search', { q: 'x' }, LONG)
    .call('memory_search', { q: 'x' }, LONG)
  for (let i = 0; i < 6; i++) made.user(`And ${i}?`).says(`Answer ${i}. ${LONG}`)
  return made.messages
}

const decided = (given: { age?: number; window?: number }) => (policy: Policy) =>
  prunePlan(prunableContext(work(), policy, given), rulesOf(policy)).decisions.map(
    ({ at, call, action, reason }) => [at, call, action, reason],
  )

/** The same with the sizes that are left. */
const left = (policy: Policy) => {
  const { decisions, tokensAfter } = prunePlan(
    prunableContext(work(), policy, { age: HOUR, window: 50_000 }),
    rulesOf(policy),
  )
  return [tokensAfter, decisions]
}

/** What a live agent sends of old tool results. */
async function sent(policy: Policy) {
  const now = Date.parse('2026-11-21T10:00:00Z')
  const messages = turnsOf(12).map((message) => ({ ...message, timestamp: now - HOUR })) as ContentMessage[]
  const { context } = liveAgent(messages, policy)
  const prompt = [{ role: 'user', content: 'Go on.' }]
  return (await context.request({ parts: { identity: 'You help.' }, prompt })).messages
}

const OPEN: PolicyPatch['pruning'] = {
  keepLastMessages: 0,
  keepRecentMs: 0,
  alwaysKeep: [],
  toolResultsAfterMs: 1_000,
}
const NONE: PolicyPatch['pruning'] = {
  ...{ byAge: false, duplicates: false, supersededReads: false, supersededWrites: false, errors: false },
}
const only = (rule: PolicyPatch['pruning']): PolicyPatch => ({ pruning: { ...OPEN, ...NONE, ...rule } })
const TTL: PolicyPatch = only({
  keepTools: [],
  cacheTtl: {
    enabled: true,
    minPrunableChars: 0,
    keepLastAssistants: 1,
    softTrimRatio: 0,
    hardClearRatio: 0,
  },
})
const TRIM: PolicyPatch = only({
  keepTools: [],
  cacheTtl: { enabled: true, keepLastAssistants: 1, softTrimRatio: 0, hardClear: false },
})

export const PRUNING: readonly Effect[] = [
  ...effects(decided({ age: HOUR }), only({ byAge: true }), {
    'pruning.keepLastMessages': [0, 25],
    'pruning.byAge': [true, false],
    'pruning.keepTools': [[], ['bash']],
  }),
  ...effects(decided({ age: 30_000 }), only({ byAge: true }), {
    'pruning.toolResultsAfterMs': [10_000, 10 * HOUR],
  }),
  ...effects(decided({ age: 30_000 }), only({ supersededWrites: true }), {
    'pruning.keepRecentMs': [0, 10 * HOUR],
  }),
  ...effects(decided({ age: HOUR }), only({ byAge: true, errors: true }), {
    'pruning.alwaysKeep': [[], ['error']],
  }),
  ...effects(decided({ age: HOUR }), only({}), {
    'pruning.duplicates': [true, false],
    'pruning.supersededReads': [true, false],
    'pruning.supersededWrites': [true, false],
    'pruning.errors': [true, false],
  }),
  ...effects(decided({ age: HOUR }), only({ errors: true }), { 'pruning.errorTurns': [1, 20] }),
  ...effects(sent, only({ byAge: true }), { 'pruning.summarizeFirst': [true, false] }),
  ...effects(sent, only({ byAge: true, summarizeFirst: false }), {
    'pruning.placeholder': ['gone', 'cleared'],
  }),
  ...effects(left, TTL, {
    'pruning.cacheTtl.enabled': [true, false],
    'pruning.cacheTtl.ttlMs': [60_000, 24 * HOUR],
    'pruning.cacheTtl.keepLastAssistants': [1, 20],
    'pruning.cacheTtl.hardClear': [true, false],
    'pruning.cacheTtl.hardClearRatio': [0, 1],
    'pruning.cacheTtl.minPrunableChars': [0, 10_000_000],
    'pruning.cacheTtl.allow': [[], ['read']],
    'pruning.cacheTtl.deny': [[], ['read']],
  }),
  ...effects(left, TRIM, {
    'pruning.cacheTtl.softTrimRatio': [0, 1],
    'pruning.cacheTtl.softTrimMaxChars': [4_000, 1_000_000],
    'pruning.cacheTtl.softTrimHeadChars': [1_500, 100],
    'pruning.cacheTtl.softTrimTailChars': [1_500, 100],
  }),
]
