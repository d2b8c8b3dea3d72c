import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs'
import { shortenFile } from './shorten'

const SHARES = { headShare: 0.7, tailShare: 0.2 }

describe('shortened files', () => {
  it('O4 keeps 70 % from the head and 20 % from the tail, with a marker that names the file and the figures', () => {
    const text = `${'a'.repeat(30_000)}${'z'.repeat(15_000)}`
    const { text: cut, truncated } = shortenFile('AGENTS.md', text, 20_000, SHARES)
    expect(truncated).toBe(true)
    expect(cut.startsWith(`${'a'.repeat(14_000)}\n\n[`)).toBe(true)
    expect(cut.endsWith(`]\n\n${'z'.repeat(4000)}`)).toBe(true)
    expect(cut.length).toBeLessThanOrEqual(20_000)
    const marker = cut.replaceAll(/^a+|z+$/g, '')
    expect(marker).toContain('AGENTS.md')
    expect(marker).toContain('first 14000 and last 4000 of 45000 characters')
  })

  it('O4 leaves a small file unchanged to the byte', () => {
    const text = '\uFEFF# Title \r\n\r\n trailing  \n\n'
    expect(shortenFile('SOUL.md', text, text.length, SHARES)).toEqual({ text, truncated: false })
    expect(shortenFile('SOUL.md', '', 0, SHARES)).toEqual({ text: '', truncated: false })
    expect(shortenFile('SOUL.md', text, text.length - 1, SHARES).truncated).toBe(true)
  })

  it('O3 stays within the cap where shares and marker together would not (newer OpenClaw: 75 % and 25 %)', () => {
    const { text } = shortenFile('A.md', 'x'.repeat(9000), 1000, { headShare: 0.75, tailShare: 0.25 })
    expect(text.length).toBeLessThanOrEqual(1000)
    expect(text.length).toBeGreaterThan(950)
    const [head = '', tail = ''] = text.split(/\n\n.*\n\n/)
    expect(head.length / tail.length).toBeCloseTo(3, 1)
  })

  it('O4 never exceeds the cap, never says a wrong figure, never cuts a character in half', () => {
    const part = fc.constantFrom('a', 'é', '漢', '👩‍🚀', '🌊', '\n')
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 100, maxLength: 300 }).map((parts) => parts.join('')),
        fc.integer({ min: 100, max: 400 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, max, headShare, tailShare) => {
          const { text: cut, truncated } = shortenFile('F.md', text, max, { headShare, tailShare })
          expect(cut.length).toBeLessThanOrEqual(max)
          expect(truncated).toBe(text.length > max)
          if (!truncated) expect(cut).toBe(text)
          expect(() => encodeURIComponent(cut)).not.toThrow()
          const figures = /first (\d+) and last (\d+) of (\d+) char/.exec(cut)
          if (figures === null) return
          const [head = 0, tail = 0, whole] = figures.slice(1).map(Number)
          expect(whole).toBe(text.length)
          expect(cut.slice(0, head)).toBe(text.slice(0, head))
          expect(cut.slice(cut.length - tail)).toBe(text.slice(text.length - tail))
          expect(cut.length - head - tail).toBeLessThan(140)
        },
      ),
      runs(300),
    )
  })
})
