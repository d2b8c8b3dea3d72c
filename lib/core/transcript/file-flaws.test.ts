import { describe, expect, it } from 'vitest'
import { fileFlaws, type TranscriptFile } from './file-flaws'

const SOUND: TranscriptFile = { entries: 12, unreadable: 0, version: 3, unfinished: 0 }

function kinds(facts: Partial<TranscriptFile>): readonly string[] {
  return fileFlaws({ ...SOUND, ...facts }).map(({ kind }) => kind)
}

describe('flaws of a transcript as a file (X1)', () => {
  it('finds none in a sound one, nor where some lines are unreadable', () => {
    expect(kinds({})).toEqual([])
    expect(kinds({ unreadable: 3 })).toEqual([])
    expect(kinds({ unfinished: null })).toEqual([])
    expect(kinds({ entries: 0, version: 0, unfinished: null })).toEqual([])
  })

  it('tells an empty file, one of rubbish, a missing header and a torn last line apart', () => {
    expect(kinds({ entries: 0, version: 0 })).toEqual(['empty'])
    expect(kinds({ entries: 0, version: 0, unfinished: 40 })).toEqual(['unfinished'])
    expect(kinds({ unreadable: 12, version: 0, unfinished: 9 })).toEqual(['no-entry'])
    expect(kinds({ version: 0 })).toEqual(['headless'])
    expect(kinds({ version: 0, unfinished: 40 })).toEqual(['headless', 'unfinished'])
  })

  it('says what to do about each', () => {
    const [torn] = fileFlaws({ ...SOUND, unfinished: 1 })
    expect(torn?.text).toMatch(/1 byte\).*plimsoll repair/)
    expect(fileFlaws({ ...SOUND, unfinished: 40 })[0]?.text).toContain('(40 bytes)')
    expect(fileFlaws({ ...SOUND, entries: 1, unreadable: 1 })[0]?.text).toMatch(
      /^Its only line is unreadable/,
    )
    expect(fileFlaws({ ...SOUND, unreadable: 12 })[0]?.text).toMatch(/^All 12 lines .* backup/)
  })
})
