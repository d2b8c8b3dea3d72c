import type { PruneContext } from './prune-context'
import { freedTokens, type IdleReason, type PruneDecision } from './prune-decision'
import type { PruneMessage } from './prune-message'
import { PRUNE_RULE_NAMES, PRUNE_RULES, type PruneRuleName } from './prune-rules'

export type RuledDecision = PruneDecision & { readonly rule: PruneRuleName; readonly freed: number }

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
  readonly decisions: readonly RuledDecision[]
  /** One for each of the rules, in the order of `PRUNE_RULES`. */
  readonly rules: readonly RuleSum[]
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/**
 * Lets rules look at a context one after the other, each at what those before it have left. A text that a rule has
 * cleared is not decided on again, so what all of them free is never counted twice. Pure, and linear in the messages.
 */
export function prunePlan(context: PruneContext, rules: readonly PruneRuleName[]): PrunePlan {
  const chosen = PRUNE_RULE_NAMES.filter((name) => rules.includes(name))
  const messages = [...context.messages]
  const decisions: RuledDecision[] = []
  const sums: RuleSum[] = []
  const known = new Set<string>()
  for (const rule of chosen) {
    const outcome = PRUNE_RULES[rule].run({ ...context, messages })
    let [texts, freed] = [0, 0]
    for (const decision of outcome.decisions) {
      const message = messages[decision.at]
      const key = `${decision.at} ${decision.call}`
      if (message === undefined || known.has(key)) continue
      known.add(key)
      const tokens = freedTokens(message, decision)
      messages[decision.at] = withDecision(message, decision, tokens, context.policy.pruning.placeholder)
      decisions.push({ ...decision, rule, freed: tokens })
      texts += 1
      freed += tokens
    }
    sums.push({ rule, texts, freed, idle: outcome.idle })
  }
  const tokensBefore = sumOf(context.messages)
  return {
    decisions: decisions.sort((a, b) => a.at - b.at || (a.call ?? -1) - (b.call ?? -1)),
    rules: sums,
    tokensBefore,
    tokensAfter: tokensBefore - decisions.reduce((sum, { freed }) => sum + freed, 0),
  }
}

/** Each rule by itself, whether the policy has it switched on or not. */
export function rulesAlone(context: PruneContext): RuleSum[] {
  return PRUNE_RULE_NAMES.flatMap((rule) => prunePlan(context, [rule]).rules)
}

function withDecision(
  message: PruneMessage,
  decision: PruneDecision,
  freed: number,
  placeholder: string,
): PruneMessage {
  const { charsBefore, charsAfter, call: place } = decision
  const size = { tokens: message.tokens - freed, chars: message.chars - charsBefore + charsAfter }
  if (place === null) {
    // What is trimmed is trimmed by the last rule, so nobody asks for its text again.
    if (decision.action === 'trim') return { ...message, ...size }
    return { ...message, ...size, parts: [placeholder], images: 0, plain: false }
  }
  const calls = message.calls.map((call, index) =>
    index === place ? { ...call, key: '', chars: charsAfter, clearedChars: charsAfter } : call,
  )
  return { ...message, ...size, calls }
}

function sumOf(messages: readonly PruneMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0)
}
