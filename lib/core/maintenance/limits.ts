import type { Bytes, Milliseconds } from '../units/units'
/** The two generations of OpenClaw's stores of files: early 2026, and the releases since. */
export type Generation = 'early' | 'late'

/** What is kept of a store. Ages in milliseconds, sizes in bytes; null switches a limit off. */
export type MaintenanceLimits = {
  /** `warn`: the runtime itself only says what it would remove. */
  readonly mode: 'warn' | 'enforce'
  /** Sessions not used for longer than this go. */
  readonly pruneAfterMs: Milliseconds
  /** So many sessions stay in the index, the newest. */
  readonly maxEntries: number
  /** A larger index is copied aside and written anew. */
  readonly rotateBytes: Bytes | null
  /** How many of those copies stay. */
  readonly rotateKeep: number
  /** How long transcripts of removed sessions stay as `.deleted`, and those of reset ones as `.reset`. */
  readonly deletedRetentionMs: Milliseconds
  readonly resetRetentionMs: Milliseconds | null
  /** Probe sessions of models go after this, when the index holds more than `maxEntries`. */
  readonly probeAfterMs: Milliseconds | null
  /** All files of the folder together; beyond it, the oldest go until no more than `highWaterBytes` are left. */
  readonly maxDiskBytes: Bytes | null
  readonly highWaterBytes: Bytes | null
}

const DAY = 86_400_000
const HIGH_WATER = 0.8

/** What each generation does when its configuration says nothing (lib/docs/openclaw.md#maintenance). */
export const MAINTENANCE_LIMITS: { readonly [G in Generation]: MaintenanceLimits } = {
  early: {
    mode: 'warn',
    pruneAfterMs: 30 * DAY,
    maxEntries: 500,
    rotateBytes: 10 * 1024 * 1024,
    rotateKeep: 3,
    deletedRetentionMs: 30 * DAY,
    resetRetentionMs: 30 * DAY,
    probeAfterMs: null,
    maxDiskBytes: null,
    highWaterBytes: null,
  },
  late: {
    mode: 'enforce',
    pruneAfterMs: 30 * DAY,
    maxEntries: 500,
    rotateBytes: null,
    rotateKeep: 3,
    deletedRetentionMs: 30 * DAY,
    resetRetentionMs: 30 * DAY,
    probeAfterMs: DAY,
    maxDiskBytes: null,
    highWaterBytes: null,
  },
}

export type LimitsReading = { readonly limits: MaintenanceLimits; readonly warnings: readonly string[] }

/**
 * Reads `session.maintenance` of an `openclaw.json` as that generation does: a bad value counts as absent, which is
 * said.
 * @param settings the unchecked value; undefined when the configuration has none
 */
export function readLimits(settings: unknown, generation: Generation): LimitsReading {
  const warnings: string[] = []
  const given = new Map(typeof settings === 'object' && settings !== null ? Object.entries(settings) : [])
  const defaults = MAINTENANCE_LIMITS[generation]
  const read = <T>(key: string, what: string, parse: (value: unknown) => T | null, fallback: T): T => {
    const value = given.get(key)
    if (value === undefined || value === null || value === '') return fallback
    const parsed = parse(value)
    if (parsed !== null) return parsed
    const shown = JSON.stringify(value)
    warnings.push(`session.maintenance.${key} is ${shown}, which is not ${what}; OpenClaw's default counts.`)
    return fallback
  }
  const days = read('pruneDays', 'a duration (like 30d)', parseDays, defaults.pruneAfterMs)
  const pruneAfterMs = read('pruneAfter', 'a duration (like 30d)', parseDays, days)
  const maxDiskBytes = read('maxDiskBytes', 'a size (like 2gb)', parseSize, defaults.maxDiskBytes)
  const resetRetentionMs =
    given.get('resetArchiveRetention') === false
      ? null
      : read('resetArchiveRetention', 'a duration (like 30d) or false', parseDays, pruneAfterMs)
  const highWaterBytes = read('highWaterBytes', 'a size (like 1.5gb)', parseSize, null)
  const limits: MaintenanceLimits = {
    ...defaults,
    mode: read('mode', 'warn or enforce', parseMode, defaults.mode),
    pruneAfterMs,
    deletedRetentionMs: pruneAfterMs,
    resetRetentionMs,
    maxEntries: read('maxEntries', 'a whole number above 0', parseCount, defaults.maxEntries),
    rotateBytes:
      generation === 'early'
        ? read('rotateBytes', 'a size (like 10mb)', parseSize, defaults.rotateBytes)
        : defaults.rotateBytes,
    maxDiskBytes,
    highWaterBytes: maxDiskBytes === null ? null : highWater(maxDiskBytes, highWaterBytes),
  }
  return { limits, warnings }
}

function highWater(maxDiskBytes: Bytes, wanted: number | null): number {
  return wanted === null ? Math.floor(maxDiskBytes * HIGH_WATER) : Math.min(wanted, maxDiskBytes)
}

/** Runtimes of 2026.3 and later belong to the late generation. null when a version cannot be read. */
export function generationOf(version: string | null): Generation | null {
  const match = /^(\d{4})\.(\d+)\./.exec(version ?? '')
  if (match === null) return null
  return Number(match[1]) > 2026 || Number(match[2]) >= 3 ? 'late' : 'early'
}

function parseMode(value: unknown): 'warn' | 'enforce' | null {
  return value === 'warn' || value === 'enforce' ? value : null
}

function parseCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

const DURATIONS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY }
const SIZES: { readonly [unit: string]: number } = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
}

/** `30d`, `12h`, `1d12h`; a bare number is days. */
function parseDays(value: unknown): number | null {
  const text = String(value).trim().toLowerCase()
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text) * DAY)
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return null
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  return Math.round(parts.reduce((sum, [, n, unit]) => sum + Number(n) * (DURATIONS[unit ?? ''] ?? 0), 0))
}

/** `10mb`, `1.5 GB`, `200k`; a bare number is bytes. */
function parseSize(value: unknown): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)i?(b?)$/.exec(String(value).trim().toLowerCase())
  if (match === null) return null
  return Math.floor(Number(match[1]) * (SIZES[`${match[2]}b`] ?? 1))
}
