import type { GatheredChunks } from './needs/gathered-chunks'
import type { NeedList } from './needs/need-list'
import { NEED_WEIGHTS } from './needs/need-weights'
import { NEED_KINDS } from './replay-session'
import { isTaskPrompt, ruleKey, rulesIn } from './rules'
import type { SpanHolders } from './spans/span-holders'

/** Rules of one session that are followed. */
const MOST_RULES = 400
const RULE = NEED_KINDS.indexOf('rule')

/** The rules that a session was given, and which chunks say them. */
export class RuleBook {
  readonly #holders: SpanHolders
  readonly #rules = new Set<number>()
  /** Rules of the task that the user gave last. */
  #ofTask = new Set<number>()

  constructor(holders: SpanHolders) {
    this.#holders = holders
  }

  /** Takes in what a chunk says. */
  read(text: string, from: 'file' | 'user', chunk: number, group: number): void {
    const rules = from === 'user' && isTaskPrompt(text) ? this.#ofTask : this.#rules
    for (const rule of rulesIn(text, from)) {
      const span = this.#holders.number({ kind: 'rule', text: rule, key: `rule ${ruleKey(rule)}` })
      if (span < 0 || (rules.size >= MOST_RULES && !rules.has(span))) continue
      rules.add(span)
      this.#holders.add(span, chunk, group)
    }
  }

  /**
   * The user says something new: the rules of the task before had to be there up to the last call.
   * @param end chunks from here on came after the prompt of that call
   */
  endTask(call: number, end: number, chunks: GatheredChunks, needs: NeedList): void {
    const over = this.#ofTask
    this.#ofTask = new Set()
    this.#need(
      [...over].filter((span) => !this.#rules.has(span)),
      call,
      end,
      chunks,
      needs,
    )
  }

  /** Every other rule that a call has seen must be there up to the very last call of the session. */
  endSession(call: number, end: number, chunks: GatheredChunks, needs: NeedList): void {
    this.endTask(call, end, chunks, needs)
    this.#need([...this.#rules], call, end, chunks, needs)
  }

  /** What only a runtime puts there by itself is for it to keep. */
  #need(rules: readonly number[], call: number, end: number, chunks: GatheredChunks, needs: NeedList): void {
    for (const span of rules) {
      const sources = this.#holders.latest(span, end)
      if (sources.length === 0) continue
      const exclusion = sources.every((chunk) => chunks.isReread(chunk)) ? 'reread' : 'none'
      needs.add({ at: call, kind: RULE, span, weight: NEED_WEIGHTS.rule, exclusion, sources })
    }
  }
}
