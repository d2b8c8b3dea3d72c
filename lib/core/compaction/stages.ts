import type { HistoryMessage, TokensOf } from '../history/message'
import type { Tokens } from '../units/units'
import { splitByShare } from './split-by-share'

/**
 * How much of a window one summarising request may take, and how little (lib/docs/openclaw.md#limits-of-a-compaction).
 */
const [BASE_RATIO, MIN_RATIO] = [0.4, 0.15]
/** Above this share of the window, the average message makes requests smaller. */
const LARGE_AVERAGE = 0.1
/** What instructions and answer take of a summarising request. Tokens. */
export const SUMMARY_OVERHEAD = 4_096

export type StageOptions<M> = {
  readonly window: Tokens
  readonly parts: number
  /** Fewer messages than this are never split. */
  readonly minMessages: number
  readonly oversizedShare: number
  readonly margin: number
  readonly tokensOf: TokensOf<M>
}

/** How a history is summarised: in one request or in parts that are merged by one more. */
export type Stages<M> = {
  /** Messages of each part; a single one needs no merging. */
  readonly parts: readonly (readonly M[])[]
  /** Too large for any request: a note with role and size replaces each. */
  readonly oversized: readonly M[]
  /** Most tokens that one request may carry. */
  readonly maxChunk: number
}

/** Divides messages for summarising. */
export function summaryStages<M extends HistoryMessage>(
  messages: readonly M[],
  options: StageOptions<M>,
): Stages<M> {
  const { window, margin, oversizedShare, tokensOf, minMessages } = options
  const isTooLarge = (message: M) => tokensOf(message) * margin > window * oversizedShare
  const tooLarge = messages.filter(isTooLarge)
  const rest = tooLarge.length === 0 ? messages : messages.filter((message) => !isTooLarge(message))
  const total = rest.reduce((sum, message) => sum + tokensOf(message), 0)
  const average = rest.length === 0 ? 0 : (total / rest.length) * margin
  const maxChunk = Math.max(1, Math.floor(window * chunkRatio(average / window)) - SUMMARY_OVERHEAD)
  const isSplit = total > maxChunk && rest.length >= minMessages
  const parts = isSplit ? splitByShare(rest, options.parts, tokensOf) : [rest]
  return { parts: parts.filter((part) => part.length > 0), oversized: tooLarge, maxChunk }
}

/** Share of the window for one request, the smaller the larger messages are on average. */
export function chunkRatio(average: number): number {
  if (average <= LARGE_AVERAGE) return BASE_RATIO
  return Math.max(MIN_RATIO, BASE_RATIO - Math.min(2 * average, BASE_RATIO - MIN_RATIO))
}

/**
 * Packs messages into requests of at most `maxChunk` with margin, in order; a message that is larger is alone.
 */
export function packRequests<M>(
  messages: readonly M[],
  { maxChunk, margin, tokensOf }: { maxChunk: number; margin: number; tokensOf: (message: M) => number },
): M[][] {
  const limit = maxChunk / margin
  const requests: M[][] = []
  let current: M[] = []
  let size = 0
  for (const message of messages) {
    const tokens = tokensOf(message)
    if (current.length > 0 && size + tokens > limit) {
      requests.push(current)
      current = []
      size = 0
    }
    current.push(message)
    size += tokens
  }
  if (current.length > 0) requests.push(current)
  return requests
}

/** What replaces a message that is too large to be summarised. */
export function oversizedNote(role: string, tokens: Tokens): string {
  return `[Large ${role} (~${Math.round(tokens / 1000)}K tokens) omitted from summary]`
}
