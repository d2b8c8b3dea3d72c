import type { ProofTotals, Unproved } from '../../core/sources/claude-code/requests'
import type { Tokens } from '../../core/units/units'
import { formatCount, formatQuantity, formatShort } from '../text/format'

/** What a provider that cuts prompts did to one, in a sentence. @param sent the prompt by our count, in tokens */
export function cutWords(seenTokens: Tokens, sent: number | null): string {
  const lost = sent === null || sent <= seenTokens ? null : sent - seenTokens
  const rest =
    lost === null
      ? 'how much of its beginning was not seen is unknown'
      : `some ${formatShort(lost)} tokens at its beginning were not seen`
  return `The provider cut this prompt to ${formatCount(seenTokens)}; ${rest}.`
}

/** What the hatched part of a chart of prompts is. */
export const UNSEEN_WORDS = 'Hatched: sent, but not seen by the provider; which messages that was is unknown'

/** What to do about a provider that cuts prompts. */
export const CUT_CURE =
  'Raise the limit on the host (Ollama: num_ctx, which is 4,096 unless it is set), or set contextWindow of the model in the runtime’s settings to what the host takes, so that it compacts in time.'

/**
 * What is wrong with a session whose provider cuts its prompts, and what to do.
 * @param belief both windows by name, where the runtime believes in another one
 */
export function cutWindowWords(window: number, belief: string | null): string {
  const lines = belief === null ? '' : ` The runtime ${belief}.`
  return `The provider cuts prompts to ${formatCount(window)} tokens: what comes before the last messages is not seen.${lines} ${CUT_CURE}`
}

/** How many of the requests that a session records are proved, e.g. `proved: 14 of 14 requests`. */
export function proofWords({ requests, rebuilt, proved }: ProofTotals): string {
  const words = `proved: ${formatCount(proved)} of ${formatQuantity(requests, 'request')}`
  return rebuilt === proved
    ? words
    : `${words}; ${formatCount(rebuilt - proved)} more can be rebuilt, from texts that differ from their hashes`
}

/** What a page shows of it. `totals` null: the transcript records no requests; `request` null: none for this call. */
export type CallProofView = {
  readonly totals: ProofTotals | null
  readonly request: { readonly unproved: Unproved | null; readonly cacheBreaks: number } | null
}

/** The same in sentences; '' where nothing is recorded. */
export function proofSentences({ totals, request }: CallProofView): string {
  if (totals === null) return ''
  const all = `${formatCount(totals.proved)} of ${formatQuantity(totals.requests, 'request')} that this session records are proved.`
  if (request === null) return `No request is recorded for this call. ${all}`
  const breaks = `The cache breaks at ${formatQuantity(request.cacheBreaks, 'place')} of it.`
  return `${callProofWords(request.unproved)} ${breaks} ${all}`
}

/** What is known of the request of one call. @param unproved why it is not proved; null: it is */
export function callProofWords(unproved: Unproved | null): string {
  if (unproved === null)
    return 'This call is proved: what the transcript has of it, system prompt and tools included, has the hashes of what the client sent.'
  return `This call is not proved: ${UNPROVED[unproved]}.`
}

const UNPROVED: { readonly [reason in Unproved]: string } = {
  missing: 'the transcript has no text for one of its messages',
  differs: 'a text of it differs from the hash that the client recorded',
  base: 'the request that it goes on from is not in the transcript',
  shape: 'the transcript has no system prompt and tools for it',
  broken: 'its record is damaged',
}
