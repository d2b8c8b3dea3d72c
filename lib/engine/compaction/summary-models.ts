import type { Policy } from '../../core/policy/policy'
import type { AskedModel } from '../../core/summary/asked-model'
import type { OwnPrices } from '../../core/tokens/own-prices'
import { priceOf } from '../../core/tokens/prices'
import type { SummaryChain } from '../summary/summary-chain'

/** The model that a session runs on; null where it is not known. */
export type RunsOn = { readonly provider: string | null; readonly model: string | null }

/** The models that may be asked for summaries. */
export type SummaryModels = {
  /** The model that a policy names, and the session's own behind it; null when neither can be asked. */
  readonly chainFor: (policy: Policy, session: RunsOn) => SummaryChain | null
  /** The operator's own. */
  readonly prices: OwnPrices
}

/** Who would be asked for the summary of a session, in their order. */
export function askedModels({ chainFor }: SummaryModels, policy: Policy, session: RunsOn): AskedModel[] {
  return (chainFor(policy, session)?.models ?? []).map(({ name, address = null }) => ({ name, address }))
}

/** The session's own model, where the policy does not let it be asked and its key is set; null else. */
export function couldAsk(models: SummaryModels, policy: Policy, session: RunsOn): AskedModel | null {
  if (policy.summary.fallbackToMain) return null
  const alone = { ...policy, summary: { ...policy.summary, model: '', url: '' } }
  const [own] = askedModels(models, withSessionModel(alone), session)
  const isAsked = askedModels(models, policy, session).some(({ name }) => name === own?.name)
  return isAsked ? null : (own ?? null)
}

/** The policy with the operator's leave to ask the model that a session runs on. */
export function withSessionModel(policy: Policy): Policy {
  return { ...policy, summary: { ...policy.summary, fallbackToMain: true } }
}

/** What a request to a model costs; null when it is unknown. */
export function priceOfModel({ prices }: SummaryModels, name: string) {
  return priceOf(name, 0, prices)
}
