import { describe, expect, it } from 'vitest'
import { compactionLine, indexEntry, messageLine, sessionHeader } from './session-lines'

const AT = Date.UTC(2026, 10, 1, 8)
const PLACE = { id: 'b', parentId: 'a', at: AT }
const WRITTEN = { id: 'b', parentId: 'a', timestamp: '2026-11-01T08:00:00.000Z' }

describe('lines of a transcript', () => {
  it('begin with the header', () => {
    expect(sessionHeader('s', '/w', AT)).toBe(
      '{"type":"session","version":3,"id":"s","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}',
    )
  })

  it('hold a message as it is, behind its place', () => {
    expect(messageLine(PLACE, '{"role": "user"}')).toBe(
      '{"type":"message","id":"b","parentId":"a","timestamp":"2026-11-01T08:00:00.000Z","message":{"role": "user"}}',
    )
  })

  it('hold a compaction, with the size before it where that is known', () => {
    const fields = { summary: 'x', firstKeptEntryId: 'a' }
    const line = (tokensBefore: number | null) =>
      JSON.parse(compactionLine(PLACE, { ...fields, tokensBefore }))
    expect(line(9)).toEqual({ type: 'compaction', ...WRITTEN, ...fields, tokensBefore: 9 })
    expect(line(null)).toEqual({ type: 'compaction', ...WRITTEN, ...fields })
  })
})

describe('the entry of a session in its index', () => {
  const RUN = { inputTokens: 10, outputTokens: 2, totalTokens: 12, contextTokens: 99, compactions: 1 }

  it('has what a run measured, and keeps all else', () => {
    const before = { sessionId: 's', inputTokens: 5, totalTokensFresh: false }
    expect(indexEntry(before, { ...RUN, isFresh: true }, AT)).toEqual({
      ...{ sessionId: 's', inputTokens: 10, outputTokens: 2, totalTokens: 12, totalTokensFresh: true },
      ...{ contextTokens: 99, compactionCount: 1, updatedAt: AT },
    })
  })

  it('keeps what it had where that is unknown, a size as an old one', () => {
    const before = { inputTokens: 5, outputTokens: 6, totalTokens: 7, totalTokensFresh: true }
    const unknown = { ...RUN, inputTokens: null, outputTokens: null, totalTokens: null, isFresh: true }
    expect(indexEntry(before, unknown, AT)).toMatchObject({ ...before, totalTokensFresh: false })
    expect(indexEntry({}, { ...RUN, isFresh: false }, AT).totalTokensFresh).toBe(false)
  })
})
