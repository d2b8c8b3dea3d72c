import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptPlace } from './excerpt'

describe('the text behind an unmet need', () => {
  const marked = (text: string, needle: string, within: { from: number; to: number } | null = null) => {
    const { mark } = excerptPlace(text, needle, within)
    return mark === null ? null : text.slice(mark.from, mark.to)
  }

  it('has what the need is of marked: in the part that went, else anywhere', () => {
    expect(marked('see src/a.ts and src/a.ts', 'src/a.ts', { from: 15, to: 26 })).toBe('src/a.ts')
    expect(excerptPlace('see src/a.ts and src/a.ts', 'src/a.ts', { from: 13, to: 25 }).mark?.from).toBe(17)
    expect(marked('See SRC/A.ts', 'src/a.ts')).toBe('SRC/A.ts')
    expect(marked('in berth.ts alone', 'harbour/src/berth.ts')).toBe('berth.ts')
    expect(marked('build 4711 is out', 'version 4711')).toBe('4711')
    expect(marked('nothing of it', 'src/a.ts')).toBeNull()
  })

  it('never leaves the text, and always shows what is marked', () => {
    const from = fc.nat({ max: 300 })
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string(), from, from, (text, needle, a, b) => {
        const within = { from: Math.min(a, b, text.length), to: Math.min(Math.max(a, b), text.length) }
        const { start, mark, end } = excerptPlace(text, needle, within)
        expect(start >= 0 && start <= end && end <= text.length).toBe(true)
        if (mark !== null) expect(start <= mark.from && mark.to <= end).toBe(true)
      }),
    )
  })
})
