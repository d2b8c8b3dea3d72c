import { readFileSync } from 'node:fs'
import { Tiktoken } from 'js-tiktoken/lite'
import ranks from 'js-tiktoken/ranks/o200k_base'
import { beforeAll, describe, expect, it } from 'vitest'
import { countExact, cutLongRuns, LONGEST_RUN } from './exact'

let plain: Tiktoken
beforeAll(async () => {
  plain = new Tiktoken(ranks)
  await countExact('loads the vocabulary')
}, 60_000)

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
  ])('equals js-tiktoken on %s', async (_what, text) => {
    expect(await countExact(text)).toBe(plain.encode(text, [], []).length)
  })

  it('equals js-tiktoken on a text of several parts, and pauses between them', async () => {
    const text = (PROSE + DATA).repeat(1_100)
    let pauses = 0
    const counted = await countExact(text, async () => {
      pauses += 1
    })
    expect(counted).toBe(plain.encode(text, [], []).length)
    expect(pauses).toBe(2)
  }, 30_000)

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
  ])(
    'does not stall on 100 KB of %s',
    async (_what, unit) => {
      const started = performance.now()
      const tokens = await countExact(unit.repeat(100_000 / unit.length))
      expect(performance.now() - started).toBeLessThan(2_000)
      expect(tokens).toBeGreaterThan(500)
    },
    20_000,
  )

  it('is off by less than 2 % where it has to cut', async () => {
    const text = Buffer.from(PROSE.repeat(12)).toString('hex').replace(/\d/g, 'q')
    const exact = plain.encode(text, [], []).length
    expect(Math.abs((await countExact(text)) - exact) / exact).toBeLessThan(0.02)
  }, 20_000)
})

describe('cutLongRuns', () => {
  it('loses nothing, and never cuts a character in two', () => {
    for (const text of [
      '',
      'a',
      'a'.repeat(1_000),
      '🚀'.repeat(500),
      '漢'.repeat(500),
      `x${'='.repeat(301)}`,
    ]) {
      const pieces = [...cutLongRuns(text)]
      expect(pieces.join('')).toBe(text)
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(LONGEST_RUN + 1)
        expect(piece).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
      }
    }
  })
})
