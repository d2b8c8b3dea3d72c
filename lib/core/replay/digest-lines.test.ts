import { expect, test } from 'vitest'
import { DigestLines } from './digest-lines'
import { DIGEST_LINES } from './replay-session'

const SPANS = [
  { number: 0, text: 'src/pool/ring-buffer.ts', kind: 'path' as const },
  { number: 1, text: 'maxActive', kind: 'identifier' as const },
]

function linesOf(give: (lines: DigestLines) => void): string[] {
  const lines = new DigestLines()
  give(lines)
  const { count, kind, offset, span } = lines.finish(
    null,
    1,
    () => SPANS,
    () => true,
  )
  return Array.from({ length: count }, (_, n) =>
    [DIGEST_LINES[kind[n] as number], ...span.subarray(offset[n], offset[n + 1])].join(' '),
  )
}

test('what the user asks is taken over at the length of a first, a newest and an older message', () => {
  const text = `${'Please look into it. '.repeat(20)}It is maxActive.`
  expect(linesOf((lines) => lines.noteUser(text, 0))).toEqual(['goal', 'newest 1', 'ask'])
})

test('a later message is no goal, and its rules are lines by themselves', () => {
  const given = linesOf((lines) => {
    lines.noteUser('Mend the ring buffer.', 0)
    lines.noteUser('Never touch src/pool/ring-buffer.ts here.', 3)
  })
  expect(given.slice(3)).toEqual(['newest 0', 'ask 0', 'rule 0'])
})

test('of an answer only decisions are taken over', () => {
  const said = 'I read the file now. The root cause is maxActive, which was never lowered.'
  expect(linesOf((lines) => lines.noteProse(said, 0))).toEqual(['decision 1'])
})
