import { setTimeout as wait } from 'node:timers/promises'
import type { Policy } from '../../core/policy/policy'
import { SummaryChain } from '../../engine/summary-chain'
import { chooseSummarizer, mainSummarizer } from './choose-summarizer'

/**
 * The summarising model that a policy names, and behind it the agent's own, ready to be asked; null when the policy names
 * none: nobody is asked then. Keep it: it remembers which models fail.
 * @param keyOf value of an environment variable, for the keys of providers
 * @param main the agent's own model, `provider/model`; asked when the other fails, if its key is set (U2)
 */
export function openSummaryChain(
  { summary }: Pick<Policy, 'summary'>,
  keyOf: (variable: string) => string | undefined,
  main: string | null = null,
): SummaryChain | null {
  const model = chooseSummarizer({ model: summary.model, url: summary.url, keyOf })
  if (model === null) return null
  const own = mainSummarizer(main, keyOf)
  return new SummaryChain(own === null || own.name === model.name ? [model] : [model, own], {
    clock: { now: Date.now },
    chance: Math.random,
    pause: async (ms, signal) => {
      await wait(ms, undefined, { signal }).catch(() => undefined)
    },
  })
}
