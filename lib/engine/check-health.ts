import { linesReached, loadLines } from '../core/budget/load-lines'
import type { LogRecord } from '../core/logs/log-fields'
import type { Policy } from '../core/policy/policy'
import type { Figure } from '../core/tokens/figure'
import type { ContextLog } from './log-ports'

/** How full a context is, as a health check tells it. */
export type Health = {
  readonly sessionId: string
  readonly tokens: Figure
  readonly window: number
  /** Share of the window; null when the fill is unknown. */
  readonly share: number | null
  /** Tokens at which the policy compacts next, by its relevance line or else by its hard one; null when neither acts. */
  readonly nextCompaction: number | null
  readonly needsCompaction: boolean | null
  /** Chunks in the context, and of the session in cold storage; null when nobody counted. */
  readonly chunks: { readonly held: number | null; readonly cold: number | null }
}

/** Holds a context against the policy (R7, Q5). */
export function checkHealth(
  policy: Policy,
  sessionId: string,
  window: number,
  tokens: Figure,
  chunks: Health['chunks'] = { held: null, cold: null },
): Health {
  const acting = ({ kind, unreachable }: { kind: string; unreachable?: true }) =>
    (kind === 'compact' || kind === 'hard') && unreachable !== true
  const { value } = tokens
  return {
    sessionId,
    tokens,
    window,
    chunks,
    share: value === null || window <= 0 ? null : value / window,
    nextCompaction: loadLines(policy, window).find(acting)?.tokens ?? null,
    needsCompaction: value === null ? null : linesReached(policy, window, tokens).lines.some(acting),
  }
}

export type Notified = {
  /** The ways by which the operator was told now. */
  readonly by: readonly string[]
  /** What went wrong with the others, one sentence each. */
  readonly problems: readonly string[]
}

export type HealthNotice = {
  /** Share of the window above which somebody is told; null: nobody is. */
  readonly above: number | null
  /** The session's last line in the log; null without one. */
  readonly last: Pick<LogRecord<'health'>, 'notifiedAbove' | 'notifiedBy'> | null
  /** Tells the operator, by each way by which that was not done already. */
  readonly notify: (told: ReadonlySet<string>) => Promise<Notified>
}

export type NotedHealth = {
  /** Whether the context is above what was asked about; null when that is unknown, or was not asked. */
  readonly isAbove: boolean | null
  /** Somebody was told now, and not already by an earlier check that found the same. */
  readonly notified: boolean
  readonly problems: readonly string[]
}

/**
 * Notes a check in the log, one line each (Q5, T6). Above the share that was asked about the operator is told, once
 * until the context was below it again: the log itself remembers, for each way of telling. One that failed is tried again
 * next time.
 */
export async function noteHealth(
  log: ContextLog,
  health: Health,
  { above, last, notify }: HealthNotice,
): Promise<NotedHealth> {
  const { sessionId, tokens, window, share, nextCompaction, needsCompaction, chunks } = health
  const isAbove = above === null || share === null ? null : share > above
  const known = isAbove === true && last?.notifiedAbove === above ? last : null
  const told = known?.notifiedBy ?? []
  const { by, problems } = isAbove === true ? await notify(new Set(told)) : NOBODY
  const notifiedBy = [...told, ...by]
  const problem = await log.add('health', {
    sessionId,
    currentTokens: tokens.value,
    limit: window,
    pctUsed: share === null ? null : Math.round(share * 10_000) / 10_000,
    nextCompaction,
    chunksHeld: chunks.held,
    chunksCold: chunks.cold,
    needsCompaction,
    notifiedAbove: known !== null || by.length > 0 ? above : null,
    notifiedBy: notifiedBy.length === 0 ? null : notifiedBy,
    rest: { current_tokens_basis: tokens.basis },
  })
  return {
    isAbove,
    notified: by.length > 0,
    problems: problem === null ? problems : [...problems, problem],
  }
}

const NOBODY: Notified = { by: [], problems: [] }
