import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Tiktoken } from 'js-tiktoken/lite'
import cl100k from 'js-tiktoken/ranks/cl100k_base'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { runs } from '../../testing/runs'
import type { Encoding } from './bpe-vocabulary'
import { countExact, LONGEST_RUN } from './exact'

let reference: { readonly [E in Encoding]: (text: string) => number }
beforeAll(async () => {
  const [first, second] = [new Tiktoken(o200k), new Tiktoken(cl100k)]
  reference = {
    o200k_base: (text) => first.encode(text, [], []).length,
    cl100k_base: (text) => second.encode(text, [], []).length,
  }
  await countExact('loads the vocabulary')
  await countExact('loads the vocabulary', 'cl100k_base')
})

const ENCODINGS = ['o200k_base', 'cl100k_base'] as const

const PROSE =
  'A Plimsoll line shows how much a ship can carry before she is in danger. It’s drawn on the hull, “amidships”.\n'
const DATA = `${JSON.stringify({ id: 'a1', parentId: null, at: 1775106097368, items: [1, 2.5, true], path: '/usr/lib/x.so' })}\n`

describe('countExact', () => {
  it.each([
    ['nothing', ''],
    ['one word', 'test'],
    ['prose', PROSE.repeat(20)],
    ['code', readFileSync(new URL('./exact.ts', import.meta.url), 'utf8')],
    ['data', DATA.repeat(30)],
    ['Chinese', '每次请求都会新建一个连接，但是没有正确关闭，所以过一段时间就会耗尽连接池。'.repeat(10)],
    ['emoji', 'done ✅ 🚀 👨‍👩‍👧 → next\n'.repeat(20)],
    ['text that looks like a special token', 'before <|endoftext|> after'],
    ['500 digits', '1234567890'.repeat(50)],
    ['a table', `| ${'name'.padEnd(40)} | ${'-'.repeat(60)} |\n`.repeat(20)],
    ['a long run', `${'qwzkxjvbpygf'.repeat(60)} ${'='.repeat(700)}${' '.repeat(500)}${'A'.repeat(400)}é`],
    ['halves of characters', 'a\ud83d b\udc00 c'],
    // Longer than a window, with places where the next window could go another way.
    ['several windows', (PROSE + DATA).repeat(700)],
    ['windows of blanks and newlines', `x${' \n'.repeat(20)}  `.repeat(1_700)],
    ['windows without a newline', '{"a": [1, "b"], '.repeat(9_000)],
  ])('equals js-tiktoken on %s', async (_what, text) => {
    for (const encoding of ENCODINGS) {
      expect(await countExact(text, encoding)).toEqual({ tokens: reference[encoding](text), cuts: 0 })
    }
  })

  it('equals js-tiktoken on anything', async () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 12 }),
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        ' ',
        '\n',
        '  ',
        "'s",
        "'LL",
        '\r\n',
        '//',
        'aaaa',
        'ÄÖ',
        'ﷺ',
        '한국',
        '٣٤',
        '\u0301',
        'ǅ',
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom(...ENCODINGS),
        async (pieces, encoding) => {
          const text = pieces.join('')
          expect((await countExact(text, encoding)).tokens).toBe(reference[encoding](text))
        },
      ),
      runs(400),
    )
  })

  it('pauses often while it counts, and ends when a pause says so', async () => {
    const text = (PROSE + DATA).repeat(1_100)
    let pauses = 0
    await countExact(text, 'o200k_base', () => {
      pauses += 1
    })
    expect(pauses).toBeGreaterThan(text.length / 10_000)
    const stop = new Error('enough')
    const stopped = countExact(text, 'o200k_base', () => {
      throw stop
    })
    await expect(stopped).rejects.toBe(stop)
  })

  it.each([
    ['one letter', 'a'],
    ['a capital', 'A'],
    ['spaces', ' '],
    ['newlines', '\n'],
    ['equals signs', '='],
    ['digits', '7'],
    ['Chinese', '漢'],
    ['an accented letter', 'é'],
    ['emoji', '🚀'],
    ['letters without end', 'qwzkxjvbpygf'],
  ])('does not stall on 140 KB of %s', async (_what, unit) => {
    let pauses = 0
    const { tokens, cuts } = await countExact(unit.repeat(140_000 / unit.length), 'o200k_base', () => {
      pauses += 1
    })
    expect(pauses).toBeGreaterThanOrEqual(Math.floor(140_000 / LONGEST_RUN))
    expect(tokens).toBeGreaterThan(500)
    expect(cuts).toBeLessThanOrEqual(Math.ceil(140_000 / LONGEST_RUN))
  })

  it('says where it had to cut', async () => {
    expect((await countExact('z'.repeat(3 * LONGEST_RUN + 10))).cuts).toBe(3)
    expect((await countExact('z'.repeat(LONGEST_RUN - 10))).cuts).toBe(0)
  })
})
