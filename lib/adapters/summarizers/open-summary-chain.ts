import { setTimeout as wait } from 'node:timers/promises'
import type { Policy } from '../../core/policy/policy'
import { SummaryChain } from '../../engine/summary-chain'
import { chooseSummarizer } from './choose-summarizer'

/**
 * The summarising model that a policy names, ready to be asked; null when it names none. Keep it: it remembers which
 * models fail.
 * @param keyOf value of an environment variable, for the keys of providers
 */
export function openSummaryChain(
  { summary }: Pick<Policy, 'summary'>,
  keyOf: (variable: string) => string | undefined,
): SummaryChain | null {
  const model = chooseSummarizer({ model: summary.model, url: summary.url, keyOf })
  if (model === null) return null
  return new SummaryChain([model], {
    clock: { now: Date.now },
    chance: Math.random,
    pause: async (ms, signal) => {
      await wait(ms, undefined, { signal }).catch(() => undefined)
    },
  })
}
