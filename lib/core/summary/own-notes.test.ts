import { describe, expect, it } from 'vitest'
import { recoveredText } from '../cold/place-back'
import { estimateUnits } from '../tokens/estimate'
import { auditSummary } from './audit'
import { digest } from './digest'
import { withoutOwnNote } from './own-notes'
import type { SourceMessage } from './source-message'

const said = (role: SourceMessage['role'], text: string): SourceMessage => ({
  ...{ entryId: 'e', line: 1, role, text, calls: [], images: 0 },
})
const record = {
  chunkId: 'chunk-1',
  at: 1_700_000_000_000,
  reason: 'low score',
  content: 'Read docs/quay.md: the crane is never moved at night.',
} as Parameters<typeof recoveredText>[0]
const note = said('user', recoveredText(record))
const options = { budget: 600, sizeOf: estimateUnits }

describe('D15 what came back from cold storage is no request', () => {
  it('a digest takes neither the note nor its words for asks, rules or paths, and keeps what is in it', () => {
    const asked = said('user', 'Please plan berth 9 for tomorrow.')
    const text = digest([asked, said('assistant', 'Done.'), note], options)
    expect(text).toContain('- Newest: Please plan berth 9 for tomorrow.')
    expect(text).not.toContain('recovered-context')
    expect(text).not.toContain('no new request')
    expect(text).not.toContain('is never moved at night')
    expect(text).toContain('docs/quay.md')
    expect(auditSummary(text, [asked, said('assistant', 'Done.'), note])).toEqual([])
  })

  it('is known by its form alone: a user who writes of such a note still asks', () => {
    expect(withoutOwnNote(note)).toMatchObject({ role: 'other', text: record.content })
    for (const text of ['<recovered-context> what is this?', `Why? ${note.text}`])
      expect(withoutOwnNote(said('user', text))).toMatchObject({ role: 'user', text })
  })
})
