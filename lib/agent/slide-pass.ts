import type { ContentMessage } from '../core/history/thinking'
import { pruneByAge } from '../core/pruning/rules/by-age'
import { clearable, clearResults } from './clear-results'
import type { ContextPass, PassInput, PassResult } from './live-parts'
import { type FirstSeen, livePruneContext, noteSeen } from './live-pruning'

/** Clearing costs a summary and the provider's cache; what frees less than so many summaries is left for later. */
const WORTH_SUMMARIES = 2

const NOTHING = { messages: null, drop: null, notes: [] } as const

/**
 * Sliding summaries: above their line before a request, after every so many turns, and after every so many requests
 * within one turn, results of work that is completed are replaced by a summary at the head of the context. What is
 * completed say the rules of pruning by age: old enough, not among the newest messages, of no kind that is always kept.
 * Nothing else is touched.
 */
export class SlidePass<M extends ContentMessage> implements ContextPass<M> {
  readonly step = 'slide'
  readonly failed = 'Completed work was not summarised'
  private readonly seen: FirstSeen = new WeakMap()
  /** Requests of the turn under way that were answered; null between turns. */
  private answered: number | null = null

  isDue({ parts: { policy }, moment, check, last, waits, isEmpty }: PassInput<M>): boolean {
    const { sliding } = policy.summary
    if (!last) this.count(moment)
    if (!sliding.enabled || last || waits || isEmpty) return false
    if (moment === 'after') return sliding.everyIterations > 0
    // Where a compaction is due it says it all.
    if (check.reached.some(({ kind }) => kind === 'compact' || kind === 'hard')) return false
    const { answered } = this
    if (answered !== null && answered > 0 && answered % sliding.everyIterations === 0) return true
    const slide = check.reached.find(({ kind }) => kind === 'slide')
    // On the line is not above it.
    return slide !== undefined && check.decided > slide.tokens
  }

  /** A request that follows another one before the turn has ended says that the first was answered, with calls. */
  private count(moment: PassInput<M>['moment']): void {
    this.answered = moment === 'after' ? null : this.answered === null ? 0 : this.answered + 1
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

/** Every so many turns since the last compaction, and never before the first. */
async function isTurn<M extends ContentMessage>({
  parts: { policy, state },
}: PassInput<M>): Promise<boolean> {
  const { turns } = await state.get()
  return turns > 0 && turns % policy.summary.sliding.everyIterations === 0
}
