import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'

/** What a rolling summary takes up. */
export type RollingCheck = {
  readonly due: boolean
  /** History above this many tokens is summarised. */
  readonly trigger: number
}

/** Whether history has grown so far that its older part is summarised: above both bounds' lower one. */
export function rollingDue(policy: Policy, historyTokens: Tokens, historyBudget: number): RollingCheck {
  const { enabled, triggerTokens, triggerShare } = policy.summary.rolling
  const trigger = Math.min(triggerTokens, Math.floor(historyBudget * triggerShare))
  return { due: enabled && historyTokens > trigger, trigger }
}

/**
 * Where the part begins that stays word for word: exactly at the N-th last message of the user, as an index; 0
 * when there are no more than N, and the end when N is 0.
 * @param length of the conversation, in messages
 */
export function verbatimStart(length: number, isUserTurn: (index: number) => boolean, turns: number): number {
  let seen = 0
  if (turns <= 0) return length
  for (let i = length - 1; i >= 0; i--) {
    if (!isUserTurn(i)) continue
    seen += 1
    if (seen === turns) return i
  }
  return 0
}

/** Tag around a summary that enters a context, and the line that keeps a model from answering it. */
const TAG = 'prior-conversation-summary'
const DO_NOT_ANSWER = 'This is a summary of earlier conversation, for reference. Do not respond to it.'

/** A summary as the first message of a context, in the user's role. */
export function injectedSummary(summary: string): string {
  return `<${TAG}>\n${DO_NOT_ANSWER}\n\n${summary.replaceAll(`</${TAG}>`, '')}\n</${TAG}>`
}

/** What a summary that was put into a context says; the text itself where it is none. */
export function summaryInside(text: string): string {
  const [start, end] = [`<${TAG}>\n${DO_NOT_ANSWER}\n\n`, `\n</${TAG}>`]
  return text.startsWith(start) && text.endsWith(end) ? text.slice(start.length, -end.length) : text
}
