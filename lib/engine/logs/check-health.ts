import { type JudgedPolicy, judgedLines } from '../../core/budget/judged-policy'
import { decidedFill } from '../../core/budget/load-lines'
import { actsByItself } from '../../core/budget/runtime-lines'
import type { LogRecord } from '../../core/logs/log-fields'
import type { Figure } from '../../core/tokens/figure'
import type { Tokens } from '../../core/units/units'
import type { ContextLog } from './log-ports'

/** How full a context is, as a health check tells it. */
export type Health = {
  readonly sessionId: string
  readonly tokens: Figure
  readonly window: Tokens
  /** Share of the window; null when the fill is unknown. */
  readonly share: number | null
  /** Tokens at which something compacts next; null where nothing does automatically. */
  readonly nextCompaction: number | null
  readonly needsCompaction: boolean | null
  /** Chunks in the context, and of the session in cold storage; null when not counted. */
  readonly chunks: { readonly held: number | null; readonly cold: number | null }
}

/**
 * Compares a context with what its runtime does, or with a draft.
 * @param reckoned the window that the lines are in, where it is another one
 */
export function checkHealth(
  judged: JudgedPolicy,
  sessionId: string,
  window: Tokens,
  tokens: Figure,
  chunks: Health['chunks'] = { held: null, cold: null },
  reckoned: Tokens = window,
): Health {
  const first = judgedLines(judged, reckoned).find(actsByItself)
  const { value } = tokens
  const decided = decidedFill(judged.policy, tokens)
  return {
    sessionId,
    tokens,
    window,
    chunks,
    share: value === null || window <= 0 ? null : value / window,
    nextCompaction: first?.tokens ?? null,
    needsCompaction: decided === null ? null : first !== undefined && decided >= first.tokens,
  }
}

export type Notified = {
  /** The ways by which the operator got a notice now. */
  readonly by: readonly string[]
  /** What went wrong with the others, one sentence each. */
  readonly problems: readonly string[]
}

export type HealthNotice = {
  /** Share of the window above which a notice is sent; null: never. */
  readonly above: number | null
  /** The session's last line in the log; null without one. */
  readonly last: Pick<LogRecord<'health'>, 'notifiedAbove' | 'notifiedBy'> | null
  /** Tells the operator, by each way that was not used already. */
  readonly notify: (alreadyNotified: ReadonlySet<string>) => Promise<Notified>
  /** Notices of findings, as `notifyFindings` has them for the log; null: none were looked for. */
  readonly findingsNotified: readonly string[] | null
}

export type NotedHealth = {
  /** Whether the context is above what was asked about; null when that is unknown, or was not asked. */
  readonly isAbove: boolean | null
  /** A notice was sent now, and not already by an earlier check that found the same. */
  readonly notified: boolean
  readonly problems: readonly string[]
}

/**
 * Notes a check in the log, one line each. Above the share that was asked about the operator gets a notice, once until
 * the context was below it again: the log itself remembers, for each way of telling. One that failed is tried again
 * next time.
 */
export async function noteHealth(
  log: ContextLog,
  health: Health,
  { above, last, notify, findingsNotified }: HealthNotice,
): Promise<NotedHealth> {
  const { sessionId, tokens, window, share, nextCompaction, needsCompaction, chunks } = health
  const isAbove = above === null || share === null ? null : share > above
  const known = isAbove === true && last?.notifiedAbove === above ? last : null
  const notifiedBefore = known?.notifiedBy ?? []
  const { by, problems } = isAbove === true ? await notify(new Set(notifiedBefore)) : NOT_NOTIFIED
  const notifiedBy = [...notifiedBefore, ...by]
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
    findingsNotified:
      findingsNotified === null || findingsNotified.length === 0 ? null : [...findingsNotified],
    rest: { current_tokens_basis: tokens.basis },
  })
  return {
    isAbove,
    notified: by.length > 0,
    problems: problem === null ? problems : [...problems, problem],
  }
}

const NOT_NOTIFIED: Notified = { by: [], problems: [] }
