import type { ContentMessage } from '../core/history/thinking'
import { pruneByAge } from '../core/pruning/rules/by-age'
import { clearable, clearResults } from './clear-results'
import type { ContextPass, PassInput, PassResult } from './context-pass'
import { type FirstSeen, livePruneContext, noteSeen } from './live-prune-context'

/** Clearing costs a summary and the provider's cache; what frees less than so many summaries is left for later. */
const WORTH_SUMMARIES = 2

const NOTHING = { messages: null, drop: null, notes: [] } as const

/**
 * Sliding summaries (E7, E8): above their line before a request, and after every so many turns, results of work that is
 * completed are replaced by a summary at the head of the context. What is completed say the rules of pruning by age: old
 * enough, not among the newest messages, of no kind that is always kept. Nothing else is touched.
 */
export class SlidePass<M extends ContentMessage> implements ContextPass<M> {
  readonly step = 'slide'
  readonly failed = 'Completed work was not summarised'
  private readonly seen: FirstSeen = new WeakMap()

  isDue({ parts: { policy }, moment, check, last, waits, messages }: PassInput<M>): boolean {
    const { sliding } = policy.summary
    if (!sliding.enabled || last || waits || messages.length === 0) return false
    if (moment === 'after') return sliding.everyIterations > 0
    // Where a compaction is due it says it all; and on the line is not above it.
    const slide = check.reached.find(({ kind }) => kind === 'slide')
    if (slide === undefined || check.decided <= slide.tokens) return false
    return !check.reached.some(({ kind }) => kind === 'compact' || kind === 'hard')
  }

  async run(input: PassInput<M>): Promise<PassResult<M>> {
    const { parts, messages, moment, signal } = input
    const { policy, form } = parts
    noteSeen(parts, messages, this.seen)
    if (moment === 'after' && !(await isTurn(input))) return NOTHING
    const context = livePruneContext(parts, messages, this.seen)
    const places = pruneByAge(context).decisions.map(({ at }) => at)
    const results = clearable(parts, messages, places)
    const freed = results.reduce((sum, result) => sum + result.freed, 0)
    if (freed <= policy.summary.targetTokens * WORTH_SUMMARIES) return NOTHING
    const done = await clearResults(parts, messages, context, results, 'work', signal)
    if (done.kind === 'stopped') return NOTHING
    if (done.kind === 'failed')
      return { ...NOTHING, notes: [`${this.failed}, so nothing was pruned. ${done.notes.join(' ')}`.trim()] }
    const sizeOf = (list: readonly M[]) => list.reduce((sum, message) => sum + form.tokensOf(message), 0)
    if (sizeOf(done.messages) >= sizeOf(messages)) return NOTHING
    return { messages: done.messages, drop: null, notes: done.notes }
  }
}

/** Every so many turns since the last compaction, and never before the first (E7). */
async function isTurn<M extends ContentMessage>({
  parts: { policy, state },
}: PassInput<M>): Promise<boolean> {
  const { turns } = await state.get()
  return turns > 0 && turns % policy.summary.sliding.everyIterations === 0
}
