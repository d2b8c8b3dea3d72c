import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  prunableContext,
  prunableMessages,
  type RawMessage,
  readPrunable,
} from '../../testing/builders/prunable'
import { findUnpaired } from '../history/pairing'
import type { Policy } from '../policy/policy'
import { resolvePolicy } from '../policy/resolve'
import { prunedMessage } from './apply-prune'
import { makeRoom } from './make-room'
import { argumentGuard } from './prune-context'
import { prunePlan } from './prune-plan'
import { PRUNE_RULE_NAMES } from './prune-rule-names'

// Mutation runs set a lower number for all properties.
const RUNS = { numRuns: fc.readConfigureGlobal().numRuns ?? 300 }

const policies: fc.Arbitrary<Policy> = fc
  .record({
    keepLastMessages: fc.constantFrom(0, 3, 10),
    keepRecentMs: fc.constantFrom(0, 20_000, 300_000),
    toolResultsAfterMs: fc.constantFrom(0, 10_000, 60_000),
    alwaysKeep: fc.constantFrom<string[]>([], ['error'], ['plan', 'error', 'human_input']),
    keepTools: fc.constantFrom<string[]>([], ['bash'], ['*e*']),
    errorTurns: fc.constantFrom(0, 1, 4),
    cacheTtl: fc.record({
      enabled: fc.constant(true),
      ttlMs: fc.constant(1000),
      keepLastAssistants: fc.constantFrom(0, 1, 3),
      softTrimRatio: fc.constantFrom(0, 0.3),
      hardClearRatio: fc.constantFrom(0, 0.2, 0.5),
      minPrunableChars: fc.constantFrom(0, 5000, 50_000),
      // A trim that leaves more than it takes would never come to an end.
      softTrimMaxChars: fc.constantFrom(400, 4000),
      softTrimHeadChars: fc.constantFrom(0, 100),
      softTrimTailChars: fc.constantFrom(0, 150),
    }),
  })
  .map((pruning) => resolvePolicy([{ level: 'session', label: 's', patch: { pruning } }]).policy)

const cases = fc.record({
  messages: prunableMessages,
  policy: policies,
  rules: fc.subarray([...PRUNE_RULE_NAMES], { minLength: 1 }),
  window: fc.constantFrom(2000, 20_000, 200_000),
  age: fc.constantFrom(0, 30_000, 600_000),
})
type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never

function pruned({ messages, policy, rules, window, age }: Case): {
  readonly after: RawMessage[]
  readonly context: ReturnType<typeof prunableContext>
  readonly plan: ReturnType<typeof prunePlan>
} {
  const context = prunableContext(messages, policy, { window, age })
  const plan = prunePlan(context, rules)
  const after = messages.map((message, at) =>
    prunedMessage(
      message,
      plan.decisions.filter((decision) => decision.at === at),
      policy.pruning,
    ),
  )
  return { after, context, plan }
}

const paired = (messages: readonly RawMessage[]) =>
  findUnpaired(
    readPrunable(messages).map(({ role, calls, resultFor }) => ({
      role,
      ...(calls.length > 0 ? { calls } : {}),
      ...(resultFor === undefined ? {} : { resultFor }),
    })),
  )

describe('pruning, whatever the context and the policy', () => {
  it('J7 never breaks a pair, changes an order or takes a message', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { after } = pruned(given)
        expect(after.map(({ role, timestamp }) => [role, timestamp])).toEqual(
          given.messages.map(({ role, timestamp }) => [role, timestamp]),
        )
        expect(paired(after)).toEqual(paired(given.messages))
        expect(paired(after)).toEqual({ orphans: [], unanswered: [] })
      }),
      RUNS,
    )
  })

  it('J1 J2 J3 J8 decides on a text once, never on what is protected, nor on what is no result and no argument', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { after, context, plan } = pruned(given)
        const texts = plan.decisions.map(({ at, call }) => `${at} ${call}`)
        expect(new Set(texts).size).toBe(texts.length)
        for (const { at, call } of plan.decisions) {
          if (call === null) expect(context.resultGuard[at]).toBeNull()
          const pair = context.pairs.find((one) => one.at === at && one.index === call)
          if (pair !== undefined) expect(argumentGuard(context, pair)).toBeNull()
        }
        after.forEach((message, at) => {
          if (message.role === 'user') expect(message).toBe(given.messages[at])
          if (plan.decisions.every((decision) => decision.at !== at)) expect(message).toBe(given.messages[at])
        })
      }),
      RUNS,
    )
  })

  it('is idempotent: what was pruned is left as it is', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { after } = pruned(given)
        const again = pruned({ ...given, messages: after })
        expect(again.plan.decisions).toEqual([])
      }),
      RUNS,
    )
  })

  it('says the characters that are really left, so that no rule frees less than it says', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { after, context, plan } = pruned(given)
        const left = readPrunable(after)
        const said = context.messages.map((message, at) =>
          plan.decisions
            .filter((decision) => decision.at === at)
            .reduce((sum, { charsBefore, charsAfter }) => sum - charsBefore + charsAfter, message.chars),
        )
        expect(left.map(({ chars }) => chars)).toEqual(said)
        const freed = (place: number) => (context.messages[place]?.tokens ?? 0) - (left[place]?.tokens ?? 0)
        for (const at of new Set(plan.decisions.map((decision) => decision.at))) {
          const own = plan.decisions.filter((decision) => decision.at === at)
          const claimed = own.reduce((sum, decision) => sum + decision.freed, 0)
          // Sizes of whole messages are rounded up, by less than a token each.
          if (claimed > 0) expect(freed(at)).toBeGreaterThanOrEqual(claimed - 1)
        }
      }),
      RUNS,
    )
  })

  it('J6 A15 making room frees what it says, from the oldest on, or nothing at all', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 8000 }), (given, wanted) => {
        const { messages, policy, window, age } = given
        const context = prunableContext(messages, policy, { window, age })
        const freedBy = ({ at }: { at: number }) => {
          const message = messages[at]
          if (message === undefined) return 0
          const after = prunedMessage(message, [{ call: null, action: 'clear' }], policy.pruning)
          return (readPrunable([message])[0]?.tokens ?? 0) - (readPrunable([after])[0]?.tokens ?? 0)
        }
        const made = makeRoom(context, wanted, freedBy)
        const possible = messages.flatMap((message, at) =>
          message.role === 'toolResult' && context.resultGuard[at] === null && freedBy({ at }) > 0 ? at : [],
        )
        const most = possible.reduce((sum, at) => sum + freedBy({ at }), 0)
        if (made === null) expect(most).toBeLessThan(wanted)
        else {
          const places = made.map(({ decision }) => decision.at)
          expect(places).toEqual(possible.slice(0, places.length))
          const freed = made.reduce((sum, one) => sum + one.freed, 0)
          expect(freed).toBeGreaterThanOrEqual(wanted)
          expect(freed - (made.at(-1)?.freed ?? 0)).toBeLessThan(wanted)
        }
      }),
      RUNS,
    )
  })
})
