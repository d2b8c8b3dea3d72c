import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SpanClass, spansOf } from './spans'

const found = (text: string) => spansOf(text).map(({ kind, text: span }) => [kind, span])

test.each<[string, SpanClass, string]>([
  ['see src/tui/footer.ts:12:4.', 'path', 'src/tui/footer.ts'],
  ['(see `~/.pi/agent/models.json`)', 'path', '~/.pi/agent/models.json'],
  ['open https://example.com/a?b=1, then', 'url', 'https://example.com/a?b=1'],
  ['id 3f2504e0-4f89-11d3-9a0c-0305e82c3301!', 'uuid', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
  ['commit 9eddb8d1 fixed it', 'hex', '9eddb8d1'],
  ['listens on localhost:4747', 'host', 'localhost:4747'],
  ['write to ada@example.org', 'email', 'ada@example.org'],
  ['a TypeError was thrown', 'error', 'TypeError'],
  ['error TS2353 again', 'error', 'TS2353'],
  ['call getMarkdownTheme() now', 'identifier', 'getMarkdownTheme()'],
  ['the MAX_RETRY_COUNT constant', 'identifier', 'MAX_RETRY_COUNT'],
  ['run copy-theme-assets first', 'identifier', 'copy-theme-assets'],
  ['took 1234567 rows', 'number', '1234567'],
  ['on port 8080 only', 'number', 'port 8080'],
  ['it says "cannot open (code 7)" here', 'quoted', 'cannot open (code 7)'],
])('X7: %j holds a span', (text, kind, span) => {
  expect(found(text)).toContainEqual([kind, span])
})

test.each(['and/or 1/2 this', 'a plain sentence of words', "it's what we don't do", '12:30 on 3/4'])(
  'X7: %j holds none',
  (text) => {
    expect(found(text)).toEqual([])
  },
)

test('X7: every span stands in its text, a short number with the word before it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      for (const { kind, text: span } of spansOf(text)) {
        const parts = kind === 'number' ? span.split(' ') : [span]
        expect(parts.every((part) => text.includes(part))).toBe(true)
      }
    }),
  )
})

test.each(['a_'.repeat(150), 'a-'.repeat(150), './'.repeat(150), '('.repeat(300), '"'.repeat(300)])(
  'hostile words of %j do not slow the scan down',
  (word) => {
    const started = performance.now()
    spansOf(`${word}! `.repeat(600))
    // Some milliseconds; a pattern that backtracks would take minutes.
    expect(performance.now() - started).toBeLessThan(3_000)
  },
)
