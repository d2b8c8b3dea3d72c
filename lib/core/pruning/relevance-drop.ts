import type { Policy } from '../policy/policy'
import type { Milliseconds, Tokens } from '../units/units'
import type { DropChunk } from './drop-chunk'
import { type ChunkProtection, type ProtectionPolicy, protections } from './protections'

/** Why it was decided so, where no protection was the reason; each has one sentence for people. */
export const DROP_REASONS = {
  relevant: 'scores at or above the keep threshold',
  medium: 'scores between the cut-off and the keep threshold',
  short: 'of medium score, and no longer than a summary would be',
  unsummarised: 'of medium score, and this pass or the policy summarises nothing',
  low_relevance: 'scores at or below the cut-off',
  hard_limit: 'the lowest score that was left while the context was above its hard limit',
  no_cold_storage: 'would be dropped, but cold storage is off and nothing is dropped for good',
} as const

type DropReason = keyof typeof DROP_REASONS

export type DropDecision = {
  readonly chunk: DropChunk
  readonly action: 'keep' | 'summarise' | 'drop'
  /** The first protection when there is one. */
  readonly reason: DropReason | ChunkProtection
  /** All that protects it. */
  readonly protectedBy: readonly ChunkProtection[]
  /** The threshold that its score was compared with; null where the score did not decide. */
  readonly threshold: number | null
  /** Tokens that it takes afterwards; of what is to be summarised, the most. */
  readonly tokensAfter: number
}

export type DropPolicy = ProtectionPolicy & Pick<Policy, 'summary' | 'coldStorage'>

export type DropInput = {
  readonly chunks: readonly DropChunk[]
  readonly policy: DropPolicy
  /** `curate`: only what is of no use goes. `compact`: medium chunks are summarised as well. */
  readonly pass: 'curate' | 'compact'
  /** Milliseconds since the epoch. */
  readonly now: Milliseconds
  /** Tokens that all chunks together may take below the hard line; null while it is switched off. */
  readonly room: number | null
}

export type DropPlan = {
  /** One for each chunk, in their order. */
  readonly decisions: readonly DropDecision[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly dropped: number
  readonly summarised: number
  /** What stays is above the hard line by so many tokens, though all that may go has gone; null when all is well. */
  readonly failure: { readonly over: number; readonly protectedTokens: Tokens } | null
}

/**
 * Decides for each chunk whether it stays, is summarised or goes to cold storage, then lets the lowest
 * scores go until the rest is below the hard line. Nothing that is protected ever goes.
 */
export function relevanceDrop(input: DropInput): DropPlan {
  const { chunks, policy, now } = input
  const guards = protections(chunks, policy, now)
  const decisions = chunks.map((chunk, place) => decide(chunk, guards[place] ?? [], input))
  const tokensBefore = sum(chunks.map(({ tokens }) => tokens))
  let tokensAfter = sum(decisions.map((decision) => decision.tokensAfter))
  const { room } = input
  if (room !== null && policy.coldStorage.enabled && tokensAfter > room)
    tokensAfter = dropLowest(decisions, tokensAfter, room)
  return {
    decisions,
    tokensBefore,
    tokensAfter,
    dropped: decisions.filter(({ action }) => action === 'drop').length,
    summarised: decisions.filter(({ action }) => action === 'summarise').length,
    failure: room === null || tokensAfter <= room ? null : failureOf(decisions, tokensAfter - room),
  }
}

function decide(chunk: DropChunk, protectedBy: readonly ChunkProtection[], input: DropInput): DropDecision {
  const { relevance, summary, coldStorage } = input.policy
  const keep = (reason: DropDecision['reason'], threshold: number | null = null): DropDecision => ({
    chunk,
    action: 'keep',
    reason,
    protectedBy,
    threshold,
    tokensAfter: chunk.tokens,
  })
  const [protection] = protectedBy
  if (protection !== undefined) return keep(protection)
  const { value } = chunk.score
  if (value >= relevance.keep) return keep('relevant', relevance.keep)
  if (value <= relevance.cutoff) {
    if (!coldStorage.enabled) return keep('no_cold_storage', relevance.cutoff)
    const threshold = relevance.cutoff
    return { chunk, action: 'drop', reason: 'low_relevance', protectedBy, threshold, tokensAfter: 0 }
  }
  if (input.pass === 'curate' || !summary.mediumChunks) return keep('unsummarised', relevance.keep)
  if (chunk.tokens <= summary.targetTokens) return keep('short', relevance.keep)
  const threshold = relevance.keep
  return {
    chunk,
    action: 'summarise',
    reason: 'medium',
    protectedBy,
    threshold,
    tokensAfter: summary.targetTokens,
  }
}

/**
 * Turns decisions into drops, the lowest score first and of equal ones the oldest; returns the tokens that are left.
 */
function dropLowest(decisions: DropDecision[], tokens: Tokens, room: number): number {
  const candidates = decisions
    .flatMap((decision, place) =>
      decision.action === 'drop' || decision.protectedBy.length > 0 ? [] : { decision, place },
    )
    // Equal ones keep their order.
    .sort((a, b) => a.decision.chunk.score.value - b.decision.chunk.score.value)
  let left = tokens
  for (const { decision, place } of candidates) {
    if (left <= room) break
    left -= decision.tokensAfter
    decisions[place] = { ...decision, action: 'drop', reason: 'hard_limit', threshold: null, tokensAfter: 0 }
  }
  return left
}

function failureOf(decisions: readonly DropDecision[], over: number): NonNullable<DropPlan['failure']> {
  const guarded = decisions.filter(({ protectedBy }) => protectedBy.length > 0)
  return { over, protectedTokens: sum(guarded.map(({ chunk }) => chunk.tokens)) }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
