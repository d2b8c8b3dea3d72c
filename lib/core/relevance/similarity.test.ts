import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bm25Index } from './bm25'
import { ChunkIndex } from './chunk-index'
import { featureRarity, HashedVectors, VECTOR_DIMENSIONS } from './hashed-vectors'
import { forTerms, termsOf } from './tokenize'
import { singlesOf, wordPieces } from './unspaced'
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
    expect(new ChunkIndex(texts).likeness('潮汐').words[0]).toBe(1)
  })

  test('words of one letter, long runs and repeated words are distinguished as the rules say', () => {
    const all = (text: string) => {
      const terms: string[] = []
      forTerms(text, (term) => terms.push(term))
      return terms
    }
    expect(all('x XY xY')).toEqual(['x', 'xy', 'xy'])
    expect(all('the The THE their')).toEqual([])
    expect(all('parseXML2Doc')).toEqual(['parsexml2doc', 'parse', 'xml', 'doc'])
    // Letters that are capitals only have no form to be found by but their own.
    expect(all('aℝb𝐀𝐁𝐚')).toEqual(['aℝb𝐀𝐁𝐚'])
    expect(all('a'.repeat(64))).toHaveLength(1)
    expect(all('a'.repeat(65))).toEqual([])
    expect(all('see src/dock.ts')).toEqual(['see', 'src', 'dock', 'ts', 'src/dock.ts'])
    expect(all('call loadDock now')).toEqual(['call', 'loaddock', 'load', 'dock', 'now'])
  })

  test('of a very long text both ends are looked at', () => {
    const long = (middle: number) => `alpha ${' '.repeat(middle)} omega`
    expect([...termsOf(long(400_000))]).toEqual(['alpha', 'omega'])
    expect([...termsOf(`${'x'.repeat(10)} ${' '.repeat(99_989)}beta${' '.repeat(99_995)} omega`)]).toEqual([
      ...['xxxxxxxxxx', 'omega'],
    ])
    expect([...termsOf(`${' '.repeat(99_990)}beta${' '.repeat(99_995)} omega`)]).toEqual(['beta', 'omega'])
    // Of 200,000 characters none is left out, nor is a word in the middle taken apart.
    expect([...termsOf(`${' '.repeat(99_998)}beta${' '.repeat(99_998)}`)]).toEqual(['beta'])
    expect([...termsOf(''), ...termsOf('...')]).toEqual([])
  })

  test('pairs and single characters of a run without spaces', () => {
    expect(wordPieces('dock')).toEqual(['dock'])
    expect(wordPieces('')).toEqual([''])
    expect(wordPieces('潮')).toEqual(['潮'])
    expect(wordPieces('潮汐表v2港')).toEqual(['潮汐', '汐表', 'v2', '港'])
    expect(singlesOf('潮汐表v2港')).toEqual(['潮', '汐', '表'])
    expect(singlesOf('dock')).toEqual([])
    expect(singlesOf('')).toEqual([])
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

  test('BM25 agrees with a plain computation over any texts, also when its arrays have grown', () => {
    const plain = (texts: readonly string[], prompt: string) => {
      const lists = texts.map((one) => {
        const terms: string[] = []
        forTerms(one, (term) => terms.push(term))
        return terms
      })
      const average = Math.max(1, lists.flat().length / lists.length)
      const rarities = [...termsOf(prompt)].map((term) => {
        const holders = lists.filter((list) => list.includes(term)).length
        return [term, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))] as const
      })
      return lists.map((terms) => {
        let sum = 0
        for (const [term, rarity] of rarities) {
          const count = terms.filter((one) => one === term).length
          if (count === 0) continue
          sum += (rarity * count * 2.2) / (count + 1.2 * (1 - 0.75 + (0.75 * terms.length) / average))
        }
        return sum
      })
    }
    const agree = (texts: readonly string[], prompt: string) => {
      const found = new Bm25Index()
      const numbers = texts.map((one) => found.add(one))
      expect(numbers).toEqual(texts.map((_, i) => i))
      expect(found.size).toBe(texts.length)
      const scores = [...found.scores(prompt)]
      expect(scores).toHaveLength(texts.length)
      const off = plain(texts, prompt).map((value, i) => Math.abs(value - (scores[i] ?? Number.NaN)))
      expect(Math.max(...off)).toBeLessThan(5e-10)
    }
    fc.assert(fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, agree), { numRuns: 40 })
    const many = Array.from({ length: 1_500 }, (_, i) => `berth${i} quay${i % 7} rope`)
    agree(many, 'berth1400 quay3 rope berth2 nowhere')
    agree(
      Array.from({ length: 4_500 }, (_, i) => `w${i}`),
      'w4100 w1 w1023 w1024',
    )
  })

  test('BM25 finds each of more texts and words than there is room for at first', () => {
    const found = new Bm25Index()
    for (let i = 0; i < 1_100; i++) found.add(`w${i}`)
    const [first = 0] = found.scores('w0')
    expect(first).toBeGreaterThan(0)
    for (const i of [1_023, 1_024, 1_025, 1_099])
      expect(
        [...found.scores(`w${i}`)].flatMap((score, text) => (score === 0 ? [] : [[text, score]])),
      ).toEqual([[i, first]])
  })

  test('a count of a word stops where its array would overflow', () => {
    const found = new Bm25Index()
    found.add('q '.repeat(66_000))
    found.add('rope')
    const [often] = found.scores('q')
    const average = 66_001 / 2
    const expected = (Math.LN2 * 0xffff * 2.2) / (0xffff + 1.2 * (1 - 0.75 + (0.75 * 66_000) / average))
    expect(often).toBeCloseTo(expected, 9)
  })

  test('likeness is measured against each word of the prompt once, and is never above 1', () => {
    const found = new Bm25Index()
    expect([...found.similarities('journal')]).toEqual([])
    for (const one of ['journal', 'ships', 'ropes and sails']) found.add(one)
    const rarity = Math.log(1 + 2.5 / 1.5)
    const short = (rarity * 2.2) / (1 + 1.2 * (0.25 + 0.75 / (4 / 3)))
    expect(found.similarities('journal')[0]).toBe(Math.min(1, short / rarity))
    expect(found.similarities('journal pages')[0]).toBeCloseTo(short / (2 * rarity), 10)
    expect(found.similarities('pages')[0]).toBe(0)
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

  test('a text gives the same vector everywhere, pieces of words and spans counted as the rules say', () => {
    // FNV-1a over the pieces of three to five characters between two marks, in 512 signed dimensions.
    const features = (one: string) => {
      const counts = new Map<number, number>()
      const add = (piece: string, times = 1) => {
        let hash = 0x811c9dc5
        for (const unit of piece) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193)
        const feature = (hash ^ (hash >>> 16)) & 0xffff
        counts.set(feature, (counts.get(feature) ?? 0) + times)
      }
      for (const word of one.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
        const marked = `\u0001${word}\u0001`
        for (let start = 0; start < marked.length; start++)
          for (const size of [3, 4, 5])
            if (start + size <= marked.length) add(marked.slice(start, start + size))
      }
      for (const span of one.match(/\S+\.ts\b/g) ?? []) add(span, 3)
      return counts
    }
    const expected = (one: string, rarity: (feature: number) => number) => {
      const vector = new Array<number>(VECTOR_DIMENSIONS).fill(0)
      for (const [feature, count] of features(one)) {
        const at = feature % VECTOR_DIMENSIONS
        const weight = (1 + Math.log(count)) * rarity(feature)
        vector[at] = (vector[at] ?? 0) + (feature >= 32_768 ? -weight : weight)
      }
      const length = Math.hypot(...vector)
      return vector.map((value) => (length === 0 ? 0 : value / length))
    }
    const near = (found: Float32Array, wanted: readonly number[]) => {
      expect(Math.max(...wanted.map((value, i) => Math.abs(value - (found[i] ?? Number.NaN))))).toBeLessThan(
        5e-6,
      )
    }
    const hashing = new HashedVectors()
    const texts = ['a', 'ab', 'The crane at src/dock.ts', 'crane crane cranes', '', '...', 'x1 '.repeat(900)]
    for (const one of texts)
      near(
        hashing.vectorOf(one),
        expected(one, () => 1),
      )
    const counted = featureRarity(texts)
    const holders = (feature: number) => texts.filter((one) => features(one).has(feature)).length
    const rare = (feature: number) => Math.log(1 + (texts.length + 1) / (holders(feature) + 1))
    const weighted = new HashedVectors(undefined, counted)
    for (const one of texts) near(weighted.vectorOf(one), expected(one, rare))
  })

  test('of a long text both ends count; of many texts, an even sample tells what is rare', () => {
    const hashing = new HashedVectors()
    const ends = `alpha ${'x'.repeat(9_993)} ${'y'.repeat(9_993)} omega!`
    expect(ends.length).toBe(20_000)
    const cut = `${ends.slice(0, 10_000)}${' quay '.repeat(50)}${ends.slice(10_000)}`
    expect([...hashing.vectorOf(cut)]).toEqual([
      ...hashing.vectorOf(`${ends.slice(0, 10_000)}\n${ends.slice(10_000)}`),
    ])
    const texts = Array.from({ length: 2_000 }, (_, i) => (i % 2 === 0 ? 'crane' : 'quay'))
    const even = featureRarity(texts)
    expect([...even]).toEqual([...featureRarity(Array.from({ length: 1_000 }, () => 'crane'))])
    expect(Math.max(...even)).toBeCloseTo(Math.log(1 + 1_001), 4)
    expect(Math.min(...even)).toBeCloseTo(Math.log(2), 4)
  })

  test('what was read of one text is forgotten before the next', () => {
    const hashing = new HashedVectors()
    const first = [...hashing.vectorOf('crane rope')]
    hashing.vectorOf('quay')
    expect([...hashing.vectorOf('crane rope')]).toEqual(first)
    const holders = new Uint32Array(1 << 16)
    hashing.countInto(holders, 'crane crane')
    hashing.countInto(holders, 'crane')
    const counts = new Set(holders)
    // Each piece of the word was held by two texts, none by three.
    expect([...counts].sort()).toEqual([0, 2])
    expect([...hashing.vectorOf('crane rope')]).toEqual(first)
  })

  test('of a text of 20,000 characters all counts, of a longer one both halves of 10,000', () => {
    const hashing = new HashedVectors()
    const around = (blanks: number) => `${' '.repeat(9_990)}crane${' '.repeat(blanks)}`
    const none = [...new Float32Array(VECTOR_DIMENSIONS)]
    // The word begins at 9,990: whole in the first half.
    expect([...hashing.vectorOf(around(20_000))]).toEqual([...hashing.vectorOf('crane')])
    const middle = (length: number) => `${' '.repeat(9_998)}quay${' '.repeat(length - 10_002)}`
    expect([...hashing.vectorOf(middle(20_000))]).toEqual([...hashing.vectorOf('quay')])
    expect([...hashing.vectorOf(`${' '.repeat(10_000)}quay${' '.repeat(10_000)}`)]).toEqual(none)
  })

  test('a list of vectors grows, keeps their order, and knows cosines of both signs', () => {
    const unit = (at: number, value = 1) => {
      const vector = new Float32Array(4)
      vector[at] = value
      return vector
    }
    const list = new VectorList(4, 1)
    expect(list.size).toBe(0)
    const added = [
      unit(0),
      unit(1),
      unit(0, -3),
      new Float32Array(4),
      Float32Array.of(3, 4, 0, 0),
      unit(3, 9),
    ]
    expect(added.map((vector) => list.add(vector))).toEqual([0, 1, 2, 3, 4, 5])
    expect(list.size).toBe(6)
    const cosines = [...list.cosines(unit(0, 5))]
    expect(cosines.map((value) => Math.round(value * 100) / 100)).toEqual([1, 0, -1, 0, 0.6, 0])
    expect([...list.cosines(new Float32Array(4))]).toEqual([0, 0, 0, 0, 0, 0])
    expect([...list.cosines(unit(0, Number.POSITIVE_INFINITY))]).toEqual([0, 0, 0, 0, 0, 0])
    // Its room grows where there is none left, and not before.
    for (let i = 0; i < 60; i++) list.add(unit(1))
    expect([list.size, list.cosines(unit(1))[65]]).toEqual([66, 1])
  })

  test('an index of one text knows nothing of what is rare, one of more does', () => {
    const plain = new HashedVectors()
    const alike = (texts: readonly string[], prompt: string) =>
      new ChunkIndex(texts).likeness(prompt).vectors[0] ?? 0
    const exact = (a: string, b: string) => {
      const [x, y] = [plain.vectorOf(a), plain.vectorOf(b)]
      return x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
    }
    const [one, prompt] = ['crane rope quay', 'crane sail']
    expect(Math.abs(alike([one], prompt) - exact(one, prompt))).toBeLessThan(0.01)
    // `crane` is in all texts, so it says less.
    const more = alike([one, 'crane a', 'crane b', 'crane c', 'crane d'], prompt)
    expect(more).toBeLessThan(exact(one, prompt) - 0.02)
    const index = new ChunkIndex([one])
    expect([index.size, index.add('sail'), index.size]).toEqual([1, 1, 2])
    expect(index.likeness('sail').similarity[1]).toBeCloseTo(1, 2)
    const empty = new ChunkIndex([])
    expect([empty.add('sail'), empty.add('crane')]).toEqual([0, 1])
    expect(empty.likeness('sail').vectors[0]).toBeCloseTo(1, 2)
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
