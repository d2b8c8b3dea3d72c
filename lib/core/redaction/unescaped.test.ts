import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { unescaped } from './unescaped'

describe('X20 a text without its escapes', () => {
  it('is what was written into a string of JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }).filter((text) => !text.includes('%')),
        (text) => {
          const written = JSON.stringify(text).slice(1, -1)
          expect(unescaped(written)?.text ?? written).toBe(text)
        },
      ),
    )
  })

  it('knows where each of its places was', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '\\n', '\\\\', '\\u0041', '%41', '\\x', '\\', '%', 'é')),
        (parts) => {
          const written = parts.join('')
          const found = unescaped(written)
          if (found === null) return
          const places = Array.from({ length: found.text.length + 1 }, (_, at) => found.before(at))
          expect(places[0]).toBe(0)
          expect(places.at(-1)).toBe(written.length)
          for (const [at, character] of [...found.text.split('').entries()]) {
            const piece = written.slice(places[at], places[at + 1])
            expect(unescaped(piece)?.text ?? piece).toBe(character)
          }
        },
      ),
    )
  })

  it('is nothing where there are none', () => {
    expect(unescaped('a plain \\d text, 100% of it')).toBeNull()
  })
})
