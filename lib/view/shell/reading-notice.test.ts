import { describe, expect, it } from 'vitest'
import { readingNotices } from './reading-notice'

describe('what pages say about the reading of stores', () => {
  it('is nothing while this dashboard reads them', () => {
    expect(readingNotices({ reader: 'own', holder: null, disk: null })).toEqual([])
  })

  it('names another reader, a reader that is missing, and a disk without room', () => {
    const holder = { pid: 7, host: 'harbour', since: Date.UTC(2026, 10, 21, 10, 30) }
    const [other] = readingNotices({ reader: 'other', holder, disk: null })
    expect(other).toMatchObject({ tone: 'neutral' })
    expect(other?.text).toContain('process 7 on harbour, since 2026-11-21 10:30 UTC')
    const tones = readingNotices({ reader: 'nobody', holder: null, disk: 'full' }).map(({ tone }) => tone)
    expect(tones).toEqual(['danger', 'attention'])
  })
})
