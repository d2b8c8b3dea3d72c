import type { PruneContext } from './prune-context'
import type { IdleReason, PruneDecision } from './prune-decision'
import type { PruneRuleName } from './prune-rule-names'
import { PRUNE_RULE_NAMES } from './prune-rule-names'
import { PRUNE_RULES } from './prune-rules'

/** What one rule comes to. Tokens are estimated as the context's are. */
export type RuleSum = {
  readonly rule: PruneRuleName
  readonly texts: number
  readonly freed: number
  readonly idle: IdleReason | null
}

/** What a set of rules would let go of a context, together. */
export type PrunePlan = {
  /** In the order of the context; no text is in two of them. */
  readonly decisions: readonly PruneDecision[]
  /** One for each of the rules, in the order of `PRUNE_RULES`. */
  readonly rules: readonly RuleSum[]
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** A context as rules of pruning find it, and what they would do with it. */
export type PrunePreview = {
  readonly context: PruneContext
  /** Each rule alone, whether it is switched on or not. */
  readonly alone: readonly RuleSum[]
  /** The chosen rules, looked at together. */
  readonly chosen: readonly PruneRuleName[]
  readonly plan: PrunePlan
}

/**
 * Lets rules look at a context one after the other, each at what those before it have left. A result that a rule has
 * cleared is not decided on again, and no two rules ask for the same arguments (one is for calls that went well, the
 * other for those that failed), so what all of them free is never counted twice. Pure, and linear in the messages.
 */
export function prunePlan(context: PruneContext, rules: readonly PruneRuleName[]): PrunePlan {
  const chars = context.chars.slice()
  const cleared = context.cleared.slice()
  const current: PruneContext = { ...context, chars, cleared }
  const decisions: PruneDecision[] = []
  const sums: RuleSum[] = []
  for (const rule of PRUNE_RULE_NAMES.filter((name) => rules.includes(name))) {
    const outcome = PRUNE_RULES[rule].run(current)
    let [texts, all] = [0, 0]
    for (const decision of outcome.decisions) {
      const { at, call, action, charsBefore, charsAfter, freed } = decision
      if (call === null && action === 'clear') cleared[at] = 1
      chars[at] = (chars[at] ?? 0) - charsBefore + charsAfter
      decisions.push(decision)
      texts += 1
      all += freed
    }
    sums.push({ rule, texts, freed: all, idle: outcome.idle })
  }
  const tokensBefore = sumOf(context.tokens)
  return {
    decisions: inOrder(decisions, context.messages.length),
    rules: sums,
    tokensBefore,
    tokensAfter: tokensBefore - sums.reduce((sum, { freed }) => sum + freed, 0),
  }
}

function sumOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

/** Each rule alone, whether the policy has it switched on or not. */
export function rulesAlone(context: PruneContext): RuleSum[] {
  return PRUNE_RULE_NAMES.flatMap((rule) => prunePlan(context, [rule]).rules)
}

/**
 * Decisions by the place of their message, and of their call in it; counted out, since there may be tens of thousands.
 */
function inOrder(decisions: readonly PruneDecision[], places: number): PruneDecision[] {
  const next = new Uint32Array(places + 1)
  for (const { at } of decisions) next[at + 1] = (next[at + 1] ?? 0) + 1
  for (let at = 1; at <= places; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0)
  const ordered = new Array<PruneDecision>(decisions.length)
  for (const decision of decisions) {
    let to = next[decision.at] ?? 0
    next[decision.at] = to + 1
    // Those of one message are few.
    for (
      let before = ordered[to - 1];
      before !== undefined && isLater(before, decision);
      before = ordered[to - 1]
    )
      ordered[to--] = before
    ordered[to] = decision
  }
  return ordered
}

function isLater(before: PruneDecision, { at, call }: PruneDecision): boolean {
  return before.at === at && (before.call ?? -1) > (call ?? -1)
}
