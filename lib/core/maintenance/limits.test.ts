import { describe, expect, it } from 'vitest'
import { generationOf, MAINTENANCE_LIMITS, readLimits } from './limits'

const DAY = 86_400_000

describe('N1 modes and limits', () => {
  it('warn is the default of the early generation, enforce of the late one', () => {
    expect(readLimits(undefined, 'early')).toEqual({ limits: MAINTENANCE_LIMITS.early, warnings: [] })
    expect(readLimits({}, 'late')).toEqual({ limits: MAINTENANCE_LIMITS.late, warnings: [] })
    expect(MAINTENANCE_LIMITS.early).toMatchObject({ mode: 'warn', maxEntries: 500, rotateKeep: 3 })
    expect(MAINTENANCE_LIMITS.late).toMatchObject({ mode: 'enforce', rotateBytes: null })
  })

  it('reads what the operator configured', () => {
    const settings = {
      mode: 'enforce',
      pruneAfter: '1d12h',
      maxEntries: 20,
      rotateBytes: '2mb',
      resetArchiveRetention: false,
      maxDiskBytes: '1.5 GB',
    }
    expect(readLimits(settings, 'early').limits).toEqual({
      ...MAINTENANCE_LIMITS.early,
      mode: 'enforce',
      pruneAfterMs: 1.5 * DAY,
      deletedRetentionMs: 1.5 * DAY,
      resetRetentionMs: null,
      maxEntries: 20,
      rotateBytes: 2 * 1024 ** 2,
      maxDiskBytes: 1.5 * 1024 ** 3,
      highWaterBytes: Math.floor(1.2 * 1024 ** 3),
    })
    expect(readLimits({ pruneDays: 7, rotateBytes: 5 }, 'late').limits).toMatchObject({
      pruneAfterMs: 7 * DAY,
      resetRetentionMs: 7 * DAY,
      rotateBytes: null,
    })
    expect(readLimits({ maxDiskBytes: 100, highWaterBytes: '200' }, 'late').limits.highWaterBytes).toBe(100)
  })

  it('a bad value counts as absent, and is named', () => {
    const { limits, warnings } = readLimits({ mode: 'strict', pruneAfter: 'soon', maxEntries: 0 }, 'early')
    expect(limits).toEqual(MAINTENANCE_LIMITS.early)
    expect(warnings).toEqual([
      `session.maintenance.pruneAfter is "soon", which is not a duration (like 30d); OpenClaw's default counts.`,
      `session.maintenance.mode is "strict", which is not warn or enforce; OpenClaw's default counts.`,
      `session.maintenance.maxEntries is 0, which is not a whole number above 0; OpenClaw's default counts.`,
    ])
  })

  it.each([
    ['2026.2.26', 'early'],
    ['2026.3.7', 'late'],
    ['2027.1.1-beta.1', 'late'],
    ['next', null],
    [null, null],
  ])('%s is %s', (version, generation) => {
    expect(generationOf(version)).toBe(generation)
  })
})
