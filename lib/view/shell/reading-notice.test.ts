import { describe, expect, it } from 'vitest'
import { parseReadingNotices, readingNotices } from './reading-notice'

describe('what pages say about the reading of stores', () => {
  it('is nothing while this dashboard reads them', () => {
    expect(readingNotices({ reader: 'own', holder: null, disk: null, progress: null })).toEqual([])
  })

  it('names another reader, a reader that is missing, and a disk without room', () => {
    const holder = { pid: 7, host: 'harbour', since: Date.UTC(2026, 10, 21, 10, 30) }
    const [other] = readingNotices({ reader: 'other', holder, disk: null, progress: null })
    expect(other).toMatchObject({ tone: 'neutral' })
    expect(other?.text).toContain('process 7 on harbour, since 2026-11-21 10:30 UTC')
    const tones = readingNotices({ reader: 'none', holder: null, disk: 'full', progress: null }).map(
      ({ tone }) => tone,
    )
    expect(tones).toEqual(['danger', 'attention'])
  })

  it('says how far a long reading is, and how long the rest takes', () => {
    const progress = {
      startedAt: 1_000,
      at: 11_000,
      sessions: 10_000,
      finished: 2_500,
      bytes: 10e9,
      bytesRead: 2e9,
    }
    const say = (more: object) =>
      readingNotices({
        reader: 'own',
        holder: null,
        disk: null,
        progress: { ...progress, ...more },
      })[0]?.text.replace(/\s/g, ' ')
    expect(say({})).toContain('2 500 of 10 000 sessions, 2 GB of 10 GB, ≈ 40 s left.')
    expect(say({ bytes: 0, bytesRead: 0 })).toContain('2 500 of 10 000 sessions, ≈ 30 s left.')
    expect(say({ bytesRead: 1e6 })).not.toContain('left')
  })

  it('comes over the live line as it was, and as nothing when it is something else', () => {
    const notices = readingNotices({ reader: 'none', holder: null, disk: 'full', progress: null })
    expect(parseReadingNotices(JSON.stringify(notices))).toEqual(notices)
    expect(parseReadingNotices('[]')).toEqual([])
    for (const text of ['', '{}', '[7]', '[{"tone":"loud","text":"x"}]', '[{"tone":"neutral"}]'])
      expect(parseReadingNotices(text), text).toBeNull()
  })
})
