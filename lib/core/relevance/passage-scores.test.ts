import { describe, expect, test } from 'vitest'
import { PassageIndex } from './passage-index'
import { passageLikeness } from './passage-likeness'

const indexOf = (texts: readonly string[], others: ConstructorParameters<typeof PassageIndex>[0] = null) => {
  const index = new PassageIndex<number>(others)
  for (const [i, text] of texts.entries()) index.add(i, text)
  return index
}
const scoresOf = (index: PassageIndex<number>, question: string) =>
  new Map(index.search(question, 99).map(({ key, score }) => [key, score]))

const ASKED = ['crane', 'torque', 'quay', 'berth']
const OTHER = ['rope', 'buoy', 'mole', 'sail', 'the', 'of']

/** Texts of up to 150 words, the same in each run; more of the words that are asked for in some. */
function someTexts(): string[] {
  let state = 7
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  return Array.from({ length: 40 }, (_, text) =>
    Array.from({ length: next(150) }, () => {
      const words = next(10) < text % 7 ? ASKED.slice(0, 1 + next(4)) : OTHER
      return words[next(words.length)]
    }).join(' '),
  )
}

/** The score of a text as the rules say it: passages of two neighbouring blocks of 30 words, empty words left out. */
function plainScore(text: string, asked: readonly string[], weightOf: (word: string) => number): number {
  const words = text.split(' ').filter((word) => word !== '' && word !== 'the' && word !== 'of')
  const blocks = Array.from({ length: Math.max(1, Math.ceil(words.length / 30)) }, (_, i) =>
    words.slice(i * 30, i * 30 + 30),
  )
  const countIn = (block: readonly string[], word: string) =>
    Math.min(7, block.filter((one) => one === word).length)
  const passages = blocks.map((block, i) => {
    const both = [block, blocks[i + 1] ?? []]
    const length = both.flat().length
    const held = asked.filter((word) => both.some((one) => one.includes(word)))
    const sum = held.reduce((total, word) => {
      const count = both.reduce((all, one) => all + countIn(one, word), 0)
      return total + weightOf(word) * (0.65 + (0.35 * count) / (count + 0.8 * (0.5 + (0.5 * length) / 60)))
    }, 0)
    return { sum, telling: held.reduce((total, word) => total + weightOf(word), 0), words: held.length }
  })
  const best = passages.reduce((one, other) => (other.sum > one.sum ? other : one))
  return passageLikeness({
    asked: asked.reduce((total, word) => total + weightOf(word), 0),
    passage: best.sum,
    whole: asked.reduce((total, word) => total + (words.includes(word) ? weightOf(word) : 0), 0),
    telling: best.telling,
    words: best.words,
    blocks: blocks.length,
  })
}

describe('H4, I4: scores of texts', () => {
  test('agree with a plain computation', () => {
    const texts = someTexts()
    const index = indexOf(texts)
    for (const asked of [
      ['crane'],
      ['crane', 'torque'],
      ['quay', 'torque', 'berth'],
      ASKED,
      ['gull', 'crane'],
    ]) {
      const weights = new Map(
        asked.map((word) => {
          const holders = texts.filter((text) => text.split(' ').includes(word)).length
          return [word, Math.log(1 + (texts.length + 30 - holders + 0.5) / (holders + 0.5))]
        }),
      )
      const weightOf = (word: string) => weights.get(word) ?? 0
      const scores = scoresOf(index, asked.join(' '))
      for (const [i, text] of texts.entries())
        expect(scores.get(i) ?? 0).toBeCloseTo(plainScore(text, asked, weightOf), 9)
    }
  })

  test('of more texts than these it is known how rare a word is', () => {
    const held: Readonly<Record<string, number>> = { crane: 900, berth: 3 }
    const index = indexOf(['crane', 'berth'], { texts: 1_000, holdersOf: (word) => held[word] ?? 0 })
    const weightOf = (word: string) =>
      Math.log(1 + (1_030 - (held[word] ?? 0) + 0.5) / ((held[word] ?? 0) + 0.5))
    const asked = ['crane', 'berth', 'gull']
    const scores = scoresOf(index, asked.join(' '))
    for (const [i, text] of ['crane', 'berth'].entries())
      expect(scores.get(i)).toBeCloseTo(plainScore(text, asked, weightOf), 9)
  })

  test('each of many different words is found in its text', () => {
    // Without vowels and digits each is one word, and stays as it is.
    const letters = [...'bcfghjklmnpqrtvwxz']
    const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    const index = indexOf([words.slice(0, 3_000).join(' '), words.slice(3_000).join(' ')])
    for (const i of [0, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 2_999, 3_000, 4_095, 4_096, 4_097, 5_831])
      expect(index.search(words[i] ?? '', 9).map(({ key }) => key)).toEqual([i < 3_000 ? 0 : 1])
  })

  test('a part that is the name itself in its normal form counts once', () => {
    const scores = scoresOf(indexOf(['crane rope', 'crane_s rope']), 'crane')
    expect(scores.get(1)).toBe(scores.get(0))
  })

  test('any number is a figure, from 0 to 9', () => {
    const scores = scoresOf(indexOf(['torque 0', 'torque 9', 'torque pier']), 'How much torque?')
    expect(scores.get(0)).toBe(scores.get(1))
    expect(scores.get(0)).toBeGreaterThan(scores.get(2) ?? 1)
  })

  test('of a limit below nothing there is nothing', () => {
    expect(indexOf(['crane', 'crane']).search('crane', -1)).toEqual([])
  })
})
