import type { Figure } from '../tokens/figure'
import type { Sender } from '../transcript/send-rules'
import type { Milliseconds, Tokens } from '../units/units'

/** How much a finding matters, the worst first. */
export const SEVERITIES = ['high', 'medium', 'low'] as const

/**
 * `high`: the agent forgets, fails or pays much for nothing now. `medium`: it costs again and again, or makes up much of
 * the bill (`make-finding.ts`). `low`: worth knowing.
 */
export type Severity = (typeof SEVERITIES)[number]

/**
 * How sure it is. `certain`: the record says so. `likely`: nothing else that we know explains the signs. `possible`: it
 * may be meant.
 */
export type Confidence = 'certain' | 'likely' | 'possible'

/** Where a finding shows. The first and the last ones are kept, `times` counts all. */
export type Evidence = {
  readonly times: number
  /** Numbers of calls from 1, in order; at most `MOST_SHOWN`. */
  readonly calls: readonly number[]
  /** Lines of the transcript from 1, in order; at most `MOST_SHOWN`. */
  readonly lines: readonly number[]
  /** What is compared, in tokens; null: nothing is. */
  readonly before: Tokens | null
  readonly after: Tokens | null
  /** Of a store as a whole: the transcripts that it shows in, at most `MOST_SHOWN`; `at`: the moment that it is about. */
  readonly transcripts?: readonly { readonly id: string; readonly at: Milliseconds | null }[]
}

/** How many calls and lines a finding names. */
export const MOST_SHOWN = 12

/**
 * What a finding has cost so far. Each part is measured, estimated within a range, or unknown. They are of the sessions
 * as they went: findings overlap, and their costs never add up to one sum.
 */
export type FindingCost = {
  /** Tokens that were sent for it, or were not seen because of it. */
  readonly tokens: Figure
  /** US dollars. */
  readonly usd: Figure
  /** Calls that paid for it. */
  readonly calls: Figure
  /** Of these calls, those without a price: the dollars are of the others. */
  readonly unpriced: number
}

/**
 * What a setting of a runtime changes: how much stays beside a summary, the window that it believes in, where it
 * compacts (higher or lower), whether it prunes, how much of a workspace file it takes, how often it polls, how long it
 * keeps transcripts; and, in our own settings, whether the archive keeps copies of them.
 */
export type SettingLever =
  | 'keep'
  | 'window'
  | 'line-up'
  | 'line-down'
  | 'prune'
  | 'bootstrap'
  | 'heartbeat'
  | 'retention'
  | 'archive'

/** What can be done. Data for a reader, and for whoever applies it; nothing is done by it. */
export type FindingRemedy =
  /**
   * A setting of the runtime's own file, or (`archive`) of ours. `value` null: which one is right depends on the host, see
   * `remedies/setting-change.ts`.
   */
  | {
      readonly by: 'setting'
      readonly runtime: Sender
      readonly lever: SettingLever
      readonly key: string
      readonly value: string | number | boolean | null
      readonly words: string
    }
  /** A command line, argument by argument. */
  | { readonly by: 'command'; readonly argv: readonly string[]; readonly words: string }
  /** One of our own actions on the session. */
  | {
      readonly by: 'action'
      readonly action: 'repair' | 'compact' | 'prune' | 'maintain' | 'archive' | 'recover'
      readonly words: string
    }
  /** A rule of the user goes into the file of instructions that the runtime sends with each call. */
  | { readonly by: 'pin'; readonly words: string }
  /** Something that only the operator can change, or nothing can. */
  | { readonly by: 'advice'; readonly words: string }

/** Whom a finding concerns; null: no one in particular. */
type FindingConcerns = {
  readonly storeId: string
  /** Id of the transcript as addresses carry it, and the runtime's own id of the session. */
  readonly transcriptId: string | null
  readonly sessionId: string | null
  readonly agent: string | null
  readonly provider: string | null
  readonly model: string | null
}

/** Something that is wrong or dear. Plain JSON. */
export type SessionFinding = {
  /** The same over runs, as long as it is about the same thing of the same session. */
  readonly id: string
  /** Which detector found it (`detectors.ts`). */
  readonly kind: string
  /** What findings of one cause share over sessions. */
  readonly cause: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly evidence: Evidence
  readonly cost: FindingCost
  /** When it showed first and last in the record; null: the record has no times. */
  readonly firstSeen: Milliseconds | null
  readonly lastSeen: Milliseconds | null
  readonly concerns: FindingConcerns
  /** Plain English, with its number. */
  readonly sentence: string
  /** By preference; empty: nothing cures it. */
  readonly remedies: readonly FindingRemedy[]
}

/** Worst first; then the dearest, then the newest. */
export function compareFindings(a: SessionFinding, b: SessionFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (b.cost.usd.value ?? -1) - (a.cost.usd.value ?? -1) ||
    (b.cost.tokens.value ?? -1) - (a.cost.tokens.value ?? -1) ||
    (b.lastSeen ?? 0) - (a.lastSeen ?? 0) ||
    (a.id < b.id ? -1 : 1)
  )
}

/** Whether a finding is at least as bad as that. */
export function isAtLeast({ severity }: Pick<SessionFinding, 'severity'>, level: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(level)
}
