import { describe, expect, it } from 'vitest'
import { claudeCodeDeletion, type DeletableTranscript, openClawDeletion } from './runtime-deletion'

const DAY = 86_400_000
const WRITTEN = Date.UTC(2026, 9, 1)

function transcript(given: Partial<DeletableTranscript> = {}): DeletableTranscript {
  return { path: '/s/a.jsonl', state: 'live', mtimeMs: WRITTEN, isIndexed: false, ...given }
}

describe('when Claude Code deletes a transcript', () => {
  it('is its setting after the last write', () => {
    expect(claudeCodeDeletion(90)(transcript())).toEqual({
      at: WRITTEN + 90 * DAY,
      rule: 'cleanupPeriodDays is 90',
    })
    expect(claudeCodeDeletion(0)(transcript())?.at).toBe(WRITTEN)
  })

  it.each([[undefined], [null], ['90'], [-1], [Number.NaN]])(
    'is 30 days when the setting is %s',
    (setting) => {
      expect(claudeCodeDeletion(setting)(transcript())).toEqual({
        at: WRITTEN + 30 * DAY,
        rule: 'cleanupPeriodDays is 30, its default',
      })
    },
  )
})

describe('when OpenClaw deletes a transcript', () => {
  const rule = openClawDeletion({ pruneAfter: '10d', resetArchiveRetention: '5d' }, 'late')

  it('counts from when it was put aside, as its name says', () => {
    const path = '/s/a.jsonl.deleted.2026-10-20T00-00-00.000Z'
    expect(rule(transcript({ path, state: 'deleted', isIndexed: true }))).toEqual({
      at: Date.UTC(2026, 9, 30),
      rule: 'session.maintenance.pruneAfter is 10d',
    })
    const reset = '/s/a.jsonl.reset.2026-10-20T00-00-00.000Z'
    expect(rule(transcript({ path: reset, state: 'reset' }))?.at).toBe(Date.UTC(2026, 9, 25))
  })

  it('is not what the index names: that is put aside first', () => {
    expect(rule(transcript({ isIndexed: true }))).toBeNull()
    expect(rule(transcript())?.at).toBe(WRITTEN + 10 * DAY)
    expect(rule(transcript({ state: 'checkpoint' }))?.at).toBe(WRITTEN + 10 * DAY)
    expect(rule(transcript({ state: 'imported' }))).toBeNull()
  })

  it('is never where it only warns, or keeps what was reset', () => {
    expect(openClawDeletion(undefined, 'early')(transcript())).toBeNull()
    expect(openClawDeletion({ mode: 'warn' }, 'late')(transcript({ state: 'deleted' }))).toBeNull()
    const kept = openClawDeletion({ resetArchiveRetention: false }, 'late')
    expect(kept(transcript({ state: 'reset' }))).toBeNull()
  })
})
