import { SPAN_WEIGHTS, type Span, type SpanClass } from '../relevance/spans'
import type { Milliseconds, Tokens } from '../units/units'
import { forSpans } from './message-spans'
import type { SourceMessage } from './source-message'
import { eachInSteps, type Steps } from './steps'

/** A span of a stretch of a session with what speaks for keeping it. */
export type RankedSpan = Span & { readonly score: number; readonly tokens: Tokens }

type Sighting = {
  readonly kind: SpanClass
  /** Messages that hold it, and those of them that the model wrote. */
  messages: number
  outputs: number
  last: number
  /** The last message that was counted. */
  seenAt: Milliseconds
}

export type RankOptions = {
  /** Size of a text in tokens. */
  readonly sizeOf: (text: string) => number
  /** How rare a span is over all sessions, 0 … 1; 1 when nothing is known. */
  readonly rarity?: (text: string) => number
}

/** Seen in more than this share of the messages, a span tells little. */
const COMMON_SHARE = 0.3
/** Fewer holders are never many. */
const COMMON_LEAST = 3
/** Ages are counted in model calls; after so many, what was not used again is worth about half. */
const HALF_AGE = 20
/** What is less rare is in no digest. */
const MIN_RARITY = 0.05
/** Spans that are worth scoring at all, for sessions that hold very many. */
const MOST_SPANS = 200_000

/**
 * Spans in the order of what they are worth per token (lib/docs/relevance.md#digest): class, rarity, how often they
 * were used again, whether the model itself wrote them, and how long ago.
 */
export function* rankSpans(
  messages: readonly SourceMessage[],
  { sizeOf, rarity = () => 1 }: RankOptions,
): Steps<RankedSpan[]> {
  const sightings = new Map<string, Sighting>()
  let calls = 0
  let place = 0
  /** Of the message at the place. */
  let written = 0
  const see = ({ kind, text }: Span) => {
    const known = sightings.get(text)
    if (known === undefined) {
      if (sightings.size < MOST_SPANS)
        sightings.set(text, { kind, messages: 1, outputs: written, last: calls, seenAt: place })
    } else if (known.seenAt !== place) {
      known.messages += 1
      known.outputs += written
      known.last = calls
      known.seenAt = place
    }
  }
  yield* eachInSteps(messages, (message, at) => {
    place = at
    written = message.role === 'assistant' ? 1 : 0
    calls += written
    forSpans(message, see)
  })
  const common = commonFrom(messages.length)
  const ranked: RankedSpan[] = []
  for (const [text, seen] of sightings) {
    const rho = rarity(text) * (seen.messages > common ? 0.5 : 1)
    if (rho < MIN_RARITY) continue
    const tokens = sizeOf(text) + 1
    const use = worthOfTimes(seen.messages, seen.outputs > 0) * worthOfAge(calls - seen.last)
    ranked.push({
      kind: seen.kind,
      text,
      tokens,
      score: (SPAN_WEIGHTS[seen.kind] * rho * use) / Math.sqrt(tokens),
    })
  }
  ranked.sort((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))
  return ranked
}

/** In more of so many messages than this, a span is common. */
export function commonFrom(messages: number): number {
  return Math.max(COMMON_LEAST, messages * COMMON_SHARE)
}

/** What it adds that so many messages hold a span, and that the model wrote one of them. */
export function worthOfTimes(messages: number, written: boolean): number {
  return 1 + 2 * (messages - 1) + (written ? 1 : 0)
}

/** What is left of that so many calls later. */
export function worthOfAge(callsAgo: number): number {
  return 0.3 + 1 / (1 + callsAgo / HALF_AGE)
}
