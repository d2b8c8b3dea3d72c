import type { GatheredChunks } from './gathered-chunks'
import type { NeedList } from './need-list'
import { NEED_WEIGHTS } from './need-weights'
import { NEED_KINDS } from './replay-session'
import { ruleKey, rulesIn } from './rules'
import type { SpanHolders } from './span-holders'

/** Rules of one session that are followed. */
const MOST_RULES = 400
const RULE = NEED_KINDS.indexOf('rule')

/** The rules that a session was given, and which chunks say them. */
export class RuleBook {
  readonly #holders: SpanHolders
  readonly #rules = new Set<number>()

  constructor(holders: SpanHolders) {
    this.#holders = holders
  }

  /** Takes in what a chunk says. */
  read(text: string, from: 'file' | 'user', chunk: number, group: number): void {
    for (const rule of rulesIn(text, from)) {
      const span = this.#holders.number({ kind: 'rule', text: rule, key: `rule ${ruleKey(rule)}` })
      if (span < 0 || (this.#rules.size >= MOST_RULES && !this.#rules.has(span))) continue
      this.#rules.add(span)
      this.#holders.add(span, chunk, group)
    }
  }

  /**
   * Each rule that a call has seen must be there up to the last call. What only a runtime puts there by itself is its
   * own matter.
   * @param end chunks from here on came after the prompt of that call
   */
  require(call: number, end: number, chunks: GatheredChunks, needs: NeedList): void {
    for (const span of this.#rules) {
      const sources = this.#holders.latest(span, end)
      if (sources.length === 0) continue
      const exclusion = sources.every((chunk) => chunks.isReread(chunk)) ? 'reread' : 'none'
      needs.add({ at: call, kind: RULE, span, weight: NEED_WEIGHTS.rule, exclusion, sources })
    }
  }
}
