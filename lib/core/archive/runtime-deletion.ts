import { type Generation, type MaintenanceLimits, readLimits } from '../maintenance/limits'
import { archivedAt } from '../maintenance/store-files'
import type { Milliseconds } from '../units/units'

/** What decides when a runtime deletes a transcript. */
export type DeletableTranscript = {
  readonly path: string
  /** live | reset | deleted | backup | checkpoint | imported | gone */
  readonly state: string
  /** Last write of its file. */
  readonly mtimeMs: Milliseconds
  /** Whether the runtime's index names its session. */
  readonly isIndexed: boolean
}

/** A time from which on a runtime deletes a transcript, the next time it tidies up. */
export type RuntimeDeletion = {
  readonly at: Milliseconds
  /** Which setting says so, with its value, e.g. `cleanupPeriodDays is 30`. */
  readonly rule: string
}

/** When the runtime of one store deletes a transcript; null: not by its age. */
export type DeletionRule = (transcript: DeletableTranscript) => RuntimeDeletion | null

const DAY_MS = 86_400_000

/** What Claude Code does when its settings say nothing. Days. */
const CLEANUP_DAYS = 30

/**
 * Claude Code deletes what was not written to for `cleanupPeriodDays`, when it starts
 * (lib/docs/claude-code-and-codex.md#claude-code).
 * @param setting the unchecked value; undefined when its settings file has none
 */
export function claudeCodeDeletion(setting: unknown): DeletionRule {
  const isGiven = typeof setting === 'number' && Number.isFinite(setting) && setting >= 0
  const days = isGiven ? setting : CLEANUP_DAYS
  const rule = `cleanupPeriodDays is ${days}${isGiven ? '' : ', its default'}`
  return ({ mtimeMs }) => ({ at: mtimeMs + days * DAY_MS, rule })
}

/**
 * OpenClaw deletes what it had put aside before, and files that its index does not name
 * (lib/docs/openclaw.md#maintenance). Its limits on number and disk space may take a file earlier.
 * @param settings `session.maintenance`, unchecked
 */
export function openClawDeletion(settings: unknown, generation: Generation): DeletionRule {
  const { limits } = readLimits(settings, generation)
  return limits.mode === 'warn' ? () => null : openClawRetention(limits)
}

/**
 * What OpenClaw's limits would take away where it only warns of it, so that nothing does.
 * @returns null: it takes it away itself
 */
export function openClawOverdue(settings: unknown, generation: Generation): DeletionRule | null {
  const { limits } = readLimits(settings, generation)
  return limits.mode === 'warn' ? openClawRetention(limits) : null
}

function openClawRetention(limits: MaintenanceLimits): DeletionRule {
  const after = (from: Milliseconds, ms: Milliseconds, setting: string): RuntimeDeletion => ({
    at: from + ms,
    rule: `session.maintenance.${setting} is ${Math.round(ms / DAY_MS)}d`,
  })
  return ({ path, state, mtimeMs, isIndexed }) => {
    const putAside = archivedAt(path) ?? mtimeMs
    switch (state) {
      case 'deleted':
        return after(putAside, limits.deletedRetentionMs, 'pruneAfter')
      case 'reset':
        return limits.resetRetentionMs === null
          ? null
          : after(putAside, limits.resetRetentionMs, 'resetArchiveRetention')
      case 'live':
      case 'backup':
      case 'checkpoint':
        // What the index names is put aside first, and stays readable for as long again.
        return isIndexed ? null : after(mtimeMs, limits.pruneAfterMs, 'pruneAfter')
      default:
        return null
    }
  }
}
