import { describe, expect, it } from 'vitest'
import {
  beginDraft,
  changeDraft,
  isDirty,
  parseStoredDraft,
  rebaseDraft,
  redoDraft,
  resumeDraft,
  undoDraft,
} from './policy-draft'

describe('X8 unsaved changes', () => {
  const start = beginDraft({ text: 'a', hash: '1' })

  it('can be undone and redone step by step; a gesture is one step', () => {
    const dragged = ['b', 'c', 'd'].reduce((draft, text) => changeDraft(draft, text, 'drag 1'), start)
    const typed = changeDraft(dragged, 'e')
    expect(undoDraft(typed).text).toBe('d')
    expect(undoDraft(undoDraft(typed)).text).toBe('a')
    expect(redoDraft(undoDraft(undoDraft(typed))).text).toBe('d')
    expect(redoDraft(changeDraft(undoDraft(typed), 'f')).text).toBe('f')
    expect(undoDraft(start)).toBe(start)
  })

  it('are there as long as the text is not that of the file', () => {
    const changed = changeDraft(start, 'b')
    expect([isDirty(start), isDirty(changed), isDirty(undoDraft(changed))]).toEqual([false, true, false])
    expect(changeDraft(start, 'a')).toBe(start)
  })

  it('can go on from another version of the file', () => {
    const moved = rebaseDraft(changeDraft(start, 'b'), { text: 'theirs', hash: '2' }, 'both')
    expect(moved).toMatchObject({ text: 'both', baseText: 'theirs', baseHash: '2' })
    expect(undoDraft(moved).text).toBe('b')
  })

  it('outlive a reload; what is no draft is none', () => {
    const { text, baseText, baseHash } = changeDraft(start, 'b')
    const stored = parseStoredDraft(JSON.stringify({ text, baseText, baseHash }))
    expect(stored && undoDraft(resumeDraft(stored)).text).toBe('a')
    expect([parseStoredDraft(null), parseStoredDraft('{'), parseStoredDraft('{"text":1}')]).toEqual([
      null,
      null,
      null,
    ])
  })
})
