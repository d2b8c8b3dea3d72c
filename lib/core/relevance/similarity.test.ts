import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bm25Index } from './bm25'
import { ChunkIndex } from './chunk-index'
import { HashedVectors } from './hashed-vectors'
import { keywordOverlap, termsOf } from './tokenize'
import { VectorList } from './vector-list'

const text = fc.string({ unit: fc.constantFrom(...'abcZ9_./ -\n"é漢'), maxLength: 200 })

describe('H4: terms', () => {
  test('names are found whole and by their parts', () => {
    const terms = termsOf('Open src/tui/footerView.ts, call getHTTPServer() for topic7, please.')
    for (const term of ['src/tui/footerview.ts', 'footer', 'view', 'tui', 'get', 'http', 'server', 'topic7'])
      expect(terms).toContain(term)
    expect(terms).not.toContain('for')
    expect(terms).not.toContain('topic7,')
  })

  test('scripts without spaces between words are found by parts of a sentence', () => {
    const texts = [
      '港口的潮汐表放在最上面的抽屉里，不要弄丢',
      '蛋糕需要面粉和耐心，别的什么都不需要',
      '港の潮汐表は一番上の引き出しにあります',
      'ตารางน้ำขึ้นน้ำลงอยู่ในลิ้นชักบนสุด',
    ]
    const best = (prompt: string) => {
      const { words } = new ChunkIndex(texts).likeness(prompt)
      return words.indexOf(Math.max(...words))
    }
    expect(best('潮汐表在抽屉里吗？')).toBe(0)
    expect(best('烤蛋糕要多少面粉')).toBe(1)
    expect(best('引き出しはどこ')).toBe(2)
    expect(best('ลิ้นชัก')).toBe(3)
    expect([...termsOf('版本v2的berth表')]).toEqual(
      expect.arrayContaining(['版本', 'v2', '的', 'berth', '表']),
    )
    expect(keywordOverlap(termsOf('潮汐'), texts[0] ?? '')).toBe(1)
  })

  test('the overlap is the share of the prompt, and the words of the text do not enter it', () => {
    const prompt = termsOf('journal search')
    expect(keywordOverlap(prompt, 'We tuned the SEARCH of the shop, and much else.')).toBe(0.5)
    expect(keywordOverlap(prompt, '“Journal”: search!')).toBe(1)
    expect(keywordOverlap(new Set(), 'anything')).toBe(0)
  })
})

describe('H4, H12: likeness without a service', () => {
  const index = () => {
    const found = new Bm25Index()
    for (const one of ['the footer shows a clock', 'a database of journal entries', 'journal search is slow'])
      found.add(one)
    return found
  }

  test('BM25 agrees with the formula by hand', () => {
    // Lengths without stop words are 3, 3 and 3; "search" is in one of three texts, "journal" in two.
    const [none, some, both] = index().scores('journal search')
    const journal = Math.log(1 + 1.5 / 2.5)
    const search = Math.log(1 + 2.5 / 1.5)
    expect(none).toBe(0)
    expect(some).toBeCloseTo(journal, 10)
    expect(both).toBeCloseTo(journal + search, 10)
    expect(index().similarities('journal search')[2]).toBeCloseTo(1, 10)
  })

  test('BM25 takes length into account, and saturates what is repeated', () => {
    const found = new Bm25Index()
    for (const one of ['journal', 'journal pages ink paper cover', 'journal journal journal', 'ships'])
      found.add(one)
    // Lengths 1, 5, 3 and 1, on average 2.5; three of four texts hold the word.
    const rarity = Math.log(1 + 1.5 / 3.5)
    const expected = (times: number, length: number) =>
      (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / 2.5))
    const scores = [...found.scores('journal')]
    for (const [i, value] of [expected(1, 1), expected(1, 5), expected(3, 3), 0].entries())
      expect(scores[i]).toBeCloseTo(value, 10)
  })

  test('a prompt about something else makes nothing alike', () => {
    expect([...index().similarities('quantum chromodynamics journal')].every((value) => value < 0.3)).toBe(
      true,
    )
    expect([...index().similarities('')]).toEqual([0, 0, 0])
  })

  test('vectors find what words miss', () => {
    const chunks = new ChunkIndex(['the summarizer was configured', 'bananas are yellow', 'trains run late'])
    const { words, vectors, similarity } = chunks.likeness('configuring summarizers')
    expect(words[0]).toBe(0)
    expect(vectors[0]).toBeGreaterThan(0.3)
    expect(similarity[0]).toBe(vectors[0])
    expect(vectors[0]).toBeGreaterThan(3 * (vectors[1] ?? 0))
  })

  test('a vector has length 1 or is nothing, and a text is like itself', () => {
    const hashing = new HashedVectors()
    fc.assert(
      fc.property(text, (one) => {
        const vector = hashing.vectorOf(one)
        const length = Math.hypot(...vector)
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true)
        const list = new VectorList(vector.length)
        list.add(vector)
        expect(list.cosines(vector)[0]).toBeCloseTo(length === 0 ? 0 : 1, 6)
      }),
    )
  })

  test('bytes move a cosine by less than 0.01', () => {
    const hashing = new HashedVectors()
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [hashing.vectorOf(one), hashing.vectorOf(other)]
        const list = new VectorList(a.length, 1)
        list.add(a)
        const exact = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
        expect(Math.abs((list.cosines(b)[0] ?? 9) - exact)).toBeLessThan(0.01)
      }),
    )
  })

  test('the same texts give the same figures, each from 0 to 1, in any index', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), text, (texts, prompt) => {
        const first = new ChunkIndex(texts).likeness(prompt)
        expect(new ChunkIndex(texts).likeness(prompt)).toEqual(first)
        for (const values of Object.values(first)) {
          expect(values).toHaveLength(texts.length)
          for (const value of values) expect(value >= 0 && value <= 1).toBe(true)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('vectors of different lengths never mix', () => {
    expect(() => new VectorList(512).add(new Float32Array(768))).toThrow(/768/)
  })
})
