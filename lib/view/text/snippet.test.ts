import { describe, expect, it } from 'vitest'
import { makeSnippet, searchTerms } from './snippet'

const marked = (text: string, query: string) =>
  makeSnippet(text, searchTerms(query))
    ?.map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('') ?? null

describe('X2: what a search found', () => {
  it('marks every word, without regard to case and accents', () => {
    expect(marked('Le Café du port, le cafe du soir', 'cafe ')).toBe('Le [Café] du port, le [cafe] du soir')
  })

  it('takes the last word as a beginning while it is being typed, and as a whole after a space', () => {
    expect(marked('the harbour master', 'harb')).toBe('the [harbour] master')
    expect(marked('the harbour master', 'harb ')).toBeNull()
    expect(marked('unharboured', 'harb')).toBeNull()
  })

  it('shows the surroundings of the first hit of a long text', () => {
    const text = `${'before '.repeat(60)}anchor ${'after '.repeat(60)}`
    const snippet = marked(text, 'anchor')
    expect(snippet).toMatch(/^… before .*\[anchor\] after .* …$/)
    expect(snippet?.length).toBeLessThan(200)
  })

  it('names characters that would hide or turn what is around them', () => {
    expect(marked('pay \u202eevil', 'pay')).toBe('[pay] ⟨RLO⟩evil')
  })

  it('loses nothing of a short text', () => {
    const parts = makeSnippet('a b c', searchTerms('b')) ?? []
    expect(parts.map((part) => part.text).join('')).toBe('a b c')
  })
})
