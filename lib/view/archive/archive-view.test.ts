import { describe, expect, it } from 'vitest'
import { archiveView, goneNote } from './archive-view'

const AT = Date.UTC(2026, 10, 3, 8)
const KEPT = { id: '0123456789abcdef', copiedAt: AT - 1000, isFile: true }

describe('what pages say of a transcript that was deleted', () => {
  it('names the rule of its runtime, when it was due by it', () => {
    const { words, command } = goneNote({ kept: KEPT, mark: { at: AT, rule: 'cleanupPeriodDays is 30' } })
    expect(words).toBe(
      'Deleted by the runtime (cleanupPeriodDays is 30), found on 2026-11-03 08:00:00 UTC, kept in the archive.',
    )
    expect(command).toBe('plimsoll archive restore 0123456789abcdef --apply')
  })

  it('blames no one when it is not known who did it', () => {
    expect(goneNote({ kept: KEPT, mark: { at: AT, rule: null } }).words).toBe(
      'Found deleted on 2026-11-03 08:00:00 UTC, kept in the archive.',
    )
    expect(goneNote({ kept: KEPT, mark: null }).words).toMatch(/^No longer in its store, kept in the archive/)
  })

  it('says what is lost without a copy, and where lines of a database go', () => {
    expect(goneNote({ kept: null, mark: null })).toEqual({
      words: expect.stringMatching(/the archive has no copy/),
      command: null,
    })
    expect(goneNote({ kept: { ...KEPT, isFile: false }, mark: null }).command).toMatch(/ --to FILE --apply$/)
  })

  it('shows what is due with hidden characters made visible', () => {
    const { due } = archiveView({
      ...{ enabled: true, transcripts: 1, bytes: 2, quotaBytes: 3, dueTotal: 1, now: AT },
      due: [
        {
          ...{ id: 'a', sessionId: 's', name: null, key: null, path: '/s/\u202ea', rule: 'r', isKept: false },
          at: AT + 1000,
        },
      ],
    })
    expect(due[0]).toMatchObject({ title: 's', href: '/sessions/a', when: 'after 2026-11-03 08:00:01 UTC' })
    expect(due[0]?.path).not.toContain('\u202e')
  })
})
