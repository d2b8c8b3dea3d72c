import { setTimeout as wait } from 'node:timers/promises'
import type { Policy } from '../../core/policy/policy'
import { SummaryChain } from '../../engine/summary/summary-chain'
import { chooseSummarizer, mainSummarizer } from './choose-summarizer'
import type { KeyOf, PairedKey } from './provider-key'

/**
 * The summarising model that a policy names, and behind it the agent's own, ready to be asked; null when there is
 * neither: no model is asked then. Keep it: it remembers which models fail.
 * @param keyOf value of an environment variable, for the keys of providers; each goes to its provider's own host only
 * @param main the agent's own model, `provider/model`; asked when its key is set and the policy lets it be
 * (`summary.fallbackToMain`)
 * @param paired keys that may go to other addresses as well
 *
 * @example
 * ```ts
 * import { DEFAULT_POLICY, openSummaryChain } from 'plimsoll-agent'
 *
 * const chain = openSummaryChain(DEFAULT_POLICY, (name) => process.env[name])
 * ```
 */
export function openSummaryChain(
  { summary }: Pick<Policy, 'summary'>,
  keyOf: KeyOf,
  main: string | null = null,
  paired: readonly PairedKey[] = [],
): SummaryChain | null {
  const chosen = chooseSummarizer({ model: summary.model, url: summary.url, keyOf, paired })
  const own = summary.fallbackToMain ? mainSummarizer(main, { keyOf, paired }) : null
  const models = [chosen, own?.name === chosen?.name ? null : own].filter((model) => model !== null)
  if (models.length === 0) return null
  return new SummaryChain(models, {
    clock: { now: Date.now },
    chance: Math.random,
    pause: async (ms, signal) => {
      await wait(ms, undefined, { signal }).catch(() => undefined)
    },
  })
}
