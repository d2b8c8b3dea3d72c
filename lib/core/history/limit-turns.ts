import { type HistoryMessage, isUserTurn, leadingSummaries } from './message'

/**
 * The last `turns` user turns, each from its user message on, behind the leading summaries. Fewer turns
 * than that, null, or 0 (OpenClaw's "no limit") leave the list as it is.
 * @param trimAbove nothing is cut up to so many times the limit, so that not every turn spoils a provider's cache
 * @returns a new list, or the same one when nothing was cut; results whose call was cut away are still in it
 */
export function limitTurns<M extends HistoryMessage>(
  messages: readonly M[],
  turns: number | null,
  trimAbove = 1,
): readonly M[] {
  if (turns === null || !(turns > 0)) return messages
  const head = leadingSummaries(messages)
  const most = Math.ceil(turns * trimAbove)
  let seen = 0
  let start = -1
  for (let at = messages.length - 1; at >= head; at--) {
    if (!isUserTurn(messages[at] as M)) continue
    seen += 1
    if (seen > most) return [...messages.slice(0, head), ...messages.slice(start)]
    if (seen <= turns) start = at
  }
  return messages
}
