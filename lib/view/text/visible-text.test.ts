import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { visibleLine, visibleParts } from './visible-text'

describe('hostile text is made visible', () => {
  it('names terminal escapes, bidirectional marks and zero-width characters', () => {
    expect(visibleLine('\u001b[31mred\u001b[0m')).toBe('⟨ESC⟩[31mred⟨ESC⟩[0m')
    expect(visibleLine('exe\u202egnp.txt')).toBe('exe⟨RLO⟩gnp.txt')
    expect(visibleLine('a\u200bb\u{e0041}c')).toBe('a⟨ZWSP⟩b⟨U+E0041⟩c')
    expect(visibleLine('\u0000\u009b2J')).toBe('⟨NUL⟩⟨CSI⟩2J')
  })

  it('leaves ordinary text alone: line ends, tabs, accents, emoji with joiners, right-to-left letters', () => {
    const text = 'a\tb\r\nc é 日本 👩‍👩‍👧 ❤️ שלום'
    expect(visibleParts(text)).toEqual([{ kind: 'text', text }])
  })

  it('shows a carriage return that would overwrite its line', () => {
    expect(visibleLine('safe\revil')).toBe('safe⟨CR⟩evil')
  })

  it('treats markup as text', () => {
    const text = '<script>alert(1)</script><img src=x onerror=alert(1)>'
    expect(visibleParts(text)).toEqual([{ kind: 'text', text }])
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const joined = visibleParts(text)
          .map((part) =>
            part.kind === 'text' ? part.text : String.fromCodePoint(Number.parseInt(part.code.slice(2), 16)),
          )
          .join('')
        expect(joined).toBe(text)
      }),
    )
  })
})
