import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apportion } from './apportion'
import { fixedPieces } from './fixed-parts'

const report = {
  systemPromptChars: 40_000,
  projectContextChars: 9_000,
  skillsChars: 1_000,
  toolListChars: 500,
  toolSchemaChars: 3_000,
  files: [
    { name: 'SOUL.md', missing: false, rawChars: 2_000, injectedChars: 2_000, truncated: false },
    { name: 'AGENTS.md', missing: false, rawChars: 30_000, injectedChars: 6_000, truncated: true },
    { name: 'USER.md', missing: true, rawChars: 0, injectedChars: null, truncated: null },
  ],
  skills: [],
  tools: [{ name: 'exec', schemaChars: 3_000, summaryChars: 100 }],
}

describe('X3 the fixed part, itemised', () => {
  it('divides the tokens of a category among its pieces, largest first', () => {
    const groups = fixedPieces(report, (category) => (category === 'bootstrap-file' ? 2_001 : 700))
    expect(groups.map((group) => group.category)).toEqual(['bootstrap-file', 'tool-schemas'])
    expect(groups[0]?.pieces.map((piece) => [piece.name, piece.tokens])).toEqual([
      ['AGENTS.md', 1_501],
      ['SOUL.md', 500],
      ['USER.md', 0],
    ])
    expect(groups[1]?.pieces).toMatchObject([{ name: 'exec', tokens: 700 }])
  })

  it('flags truncated files with their full size, and missing ones', () => {
    const files = fixedPieces(report, () => 100)[0]?.pieces ?? []
    expect(files[0]).toMatchObject({ name: 'AGENTS.md', truncated: true, rawChars: 30_000, chars: 6_000 })
    expect(files[2]).toMatchObject({ name: 'USER.md', missing: true, chars: 0 })
  })

  it('apportions to the token, whatever the weights', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.array(fc.nat(50_000), { minLength: 1, maxLength: 40 }),
        (tokens, weights) => {
          const parts = apportion(tokens, weights)
          const sum = parts.reduce((a, b) => a + b, 0)
          expect(sum).toBe(weights.some((w) => w > 0) ? tokens : 0)
          parts.forEach((part, i) => {
            expect(
              Math.abs(
                part -
                  (tokens * (weights[i] ?? 0)) /
                    Math.max(
                      1,
                      weights.reduce((a, b) => a + b, 0),
                    ),
              ),
            ).toBeLessThan(1.0001)
          })
        },
      ),
    )
  })
})
