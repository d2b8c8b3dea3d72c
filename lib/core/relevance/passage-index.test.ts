import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PassageIndex } from './passage-index'
import { passageLikeness } from './passage-likeness'
import { isEmptyWord, isLightWord } from './question-words'
import { relatedTo } from './related-words'

function indexOf(texts: readonly string[]): PassageIndex<number> {
  const index = new PassageIndex<number>()
  for (const [i, text] of texts.entries()) index.add(i, text)
  return index
}

const best = (texts: readonly string[], question: string) => indexOf(texts).search(question, 1)[0]?.key

const noise = (words: number, seed = 0) =>
  Array.from({ length: words }, (_, i) => `noise${(i * 7 + seed) % 97}`).join(' ')

const word = fc.constantFrom(
  'crane',
  'torque',
  'pier',
  'harbour',
  'seven',
  'tide',
  'rope',
  'footerView',
  '潮汐',
)
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))

describe('H4, I4, I5: texts are found by their best passage', () => {
  test('an ordinary question finds the long text that answers it among many short ones', () => {
    const long = `${noise(800)}\nCrane at pier 7: torque 412kNm.\n${noise(800, 5)}`
    const texts = [
      ...Array.from({ length: 40 }, (_, i) => `Pier ${i + 20} was swept, hoist ${i} is fine.`),
      long,
    ]
    const [hit] = indexOf(texts).search('How much torque has the crane at pier seven?', 5)
    expect(hit?.key).toBe(40)
    expect(hit?.score).toBeGreaterThan(0.5)
    expect(best(texts, 'What about 412 kNm?')).toBe(40)
    expect(best(texts, 'torques of the cranes')).toBe(40)
  })

  test('words that are near each other beat the same words far apart', () => {
    const near = `${noise(300)} crane torque pier ${noise(300, 3)}`
    const far = `crane ${noise(300)} torque ${noise(300, 3)} pier`
    const [first, second] = indexOf([far, near]).search('crane torque pier', 2)
    expect([first?.key, second?.key]).toEqual([1, 0])
    expect((first?.score ?? 0) - (second?.score ?? 0)).toBeGreaterThan(0.1)
  })

  test('a passage across the middle of two blocks is one passage', () => {
    for (const before of [0, 20, 28, 29, 30, 31, 59, 60]) {
      const [hit] = indexOf([`${noise(before)} crane torque pier ${noise(90)}`]).search(
        'crane torque pier',
        1,
      )
      expect(hit?.score).toBeGreaterThan(0.5)
    }
  })

  test('a rare word says more than one that every text has', () => {
    const texts = ['crane and pier', 'crane and quay', 'crane and buoy', 'torque and quay', 'crane and mole']
    expect(best(texts, 'the crane torque')).toBe(3)
  })

  test('names are found by their parts when a passage has them all, and not by some of them', () => {
    const texts = ['the footer and its view', 'only the footer', 'footerView.render()']
    const keys = (question: string) =>
      indexOf(texts)
        .search(question, 9)
        .map(({ key }) => key)
    expect(keys('footerView')).toEqual([2, 0])
    expect(keys('footer view')).toEqual([2, 0, 1])
    expect(keys('word0x')).toEqual([])
  })

  test('related words find, and the word itself is better', () => {
    expect(relatedTo('delet')).toContain('remov')
    expect(relatedTo('remov')).toContain('delet')
    expect(relatedTo('pier')).toEqual([])
    const texts = ['remove the rope', 'delete the rope', 'grease the rope']
    const hits = indexOf(texts).search('Who deletes a rope?', 3)
    expect(hits.map(({ key }) => key)).toEqual([1, 0, 2])
  })

  test('words of asking count little, empty ones nothing', () => {
    expect(['the', 'doe', 'what'].every(isEmptyWord)).toBe(true)
    expect(['rememb', 'exactli', 'again'].every(isLightWord)).toBe(true)
    expect(indexOf(['the', 'what is it']).search('what is the?', 5)).toEqual([])
    const [hit] = indexOf(['I remember it exactly, again and again']).search('remember exactly again', 1)
    expect(hit).toBeUndefined()
    const texts = ['crane torque 412', 'remember exactly what we said']
    expect(best(texts, 'Do you remember exactly the crane torque we said?')).toBe(0)
    const score = (question: string) => indexOf(texts).search(question, 1)[0]?.score ?? 0
    const bare = score('crane torque')
    expect(score('Tell me once more about the crane torque, please, I need it again')).toBeGreaterThan(
      bare * 0.65,
    )
    expect(score('Tell buoys mole more about the crane torque, quay, I grease it rope')).toBeLessThan(
      bare * 0.65,
    )
  })

  test('where a figure is asked for, a passage with one comes first, whichever it is', () => {
    const texts = ['the crane has much torque today', 'crane torque 412', 'the crane has torque as usual']
    for (const question of ['How much torque has the crane?', 'the count for the crane torque'])
      expect(best(texts, question)).toBe(1)
    // A figure alone is no answer, and a question for anything else does not ask for one.
    expect(indexOf(['412 513', '7 of 9']).search('How many cranes?', 5)).toEqual([])
    const equal = ['torque crane 412', 'torque crane pier']
    const scores = (question: string) =>
      indexOf(equal)
        .search(question, 2)
        .map(({ score }) => score)
    const [first = 0, second = 0] = scores('Why has the crane torque?')
    expect(first).toBe(second)
    const [more = 0, less = 0] = scores('How much torque has the crane?')
    expect(more).toBeGreaterThan(less)
  })

  test('one common word is no answer, a name alone is one', () => {
    const texts = Array.from({ length: 60 }, (_, i) => `run ${i % 3 === 0 ? 'tests' : 'builds'} of part${i}`)
    const score = (question: string) => indexOf(texts).search(question, 1)[0]?.score ?? 0
    expect(score('Now run the tests again, please.')).toBeLessThan(0.5)
    expect(score('Where is part31?')).toBeGreaterThan(0.5)
    expect(score('Where is the weather in Oslo?')).toBe(0)
  })

  test('what was removed or added anew is found as it is now; among equals the newest comes first', () => {
    const index = indexOf(['crane torque', 'crane torque', 'crane torque'])
    expect(index.search('crane torque', 9).map(({ key }) => key)).toEqual([2, 1, 0])
    const either = indexOf(['crane', 'torque', 'crane', 'torque'])
    expect(either.search('crane torque', 9).map(({ key }) => key)).toEqual([3, 2, 1, 0])
    index.remove(1)
    index.remove(7)
    index.add(0, 'tide table')
    expect(index.search('crane torque', 9).map(({ key }) => key)).toEqual([2])
    expect(index.search('tide table', 9).map(({ key }) => key)).toEqual([0])
    expect([index.size, index.has(1), index.has(0)]).toEqual([2, false, true])
    expect(index.search('crane', 0)).toEqual([])
    expect(index.search('crane torque', 9, (key) => key !== 2)).toEqual([])
  })

  test('scores are from 0 to 1, sorted, and the same in whatever order the texts came', () => {
    fc.assert(
      fc.property(fc.uniqueArray(sentence, { maxLength: 12 }), sentence, (texts, question) => {
        const hits = indexOf(texts).search(question, 99)
        for (const [i, { score }] of hits.entries()) {
          expect(score > 0 && score <= 1).toBe(true)
          expect(score).toBeLessThanOrEqual(hits[i - 1]?.score ?? 1)
        }
        const turned = indexOf(texts.toReversed()).search(question, 99)
        const byText = (found: typeof hits, of: readonly string[]) =>
          new Map(found.map(({ key, score }) => [of[key], score.toFixed(9)]))
        expect(byText(turned, texts.toReversed())).toEqual(byText(hits, texts))
        expect(indexOf(texts).search(question, 2)).toEqual(hits.slice(0, 2))
      }),
      { numRuns: 60 },
    )
  })

  test('a search leaves nothing behind for the next', () => {
    const texts = fc.array(sentence, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(texts, fc.array(sentence, { maxLength: 4 }), sentence, (all, before, question) => {
        const index = indexOf(all)
        for (const one of before) index.search(one, 9)
        expect(index.search(question, 9)).toEqual(indexOf(all).search(question, 9))
      }),
      { numRuns: 40 },
    )
  })

  test('text around a passage, however long, costs a sixth of its score at most', () => {
    fc.assert(
      fc.property(sentence, fc.nat(400), fc.nat(400), (passage, before, after) => {
        const scoreOf = (text: string) =>
          indexOf(['buoy', text])
            .search(passage, 9)
            .find(({ key }) => key === 1)?.score ?? 0
        // A passage of full length: what a short text gains by being short is not lost, it was a gift.
        const full = scoreOf(`${noise(30)} ${passage} ${noise(30)}`)
        expect(scoreOf(`${noise(30 + before)} ${passage} ${noise(30 + after)}`)).toBeGreaterThan(
          full * (5 / 6),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('likeness never falls when a passage has more of a question', () => {
    const part = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        part,
        part,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 1, max: 900 }),
        (a, b, words, blocks) => {
          const of = (share: number) =>
            passageLikeness({ asked: 20, passage: share * 20, whole: 20, telling: share * 20, words, blocks })
          expect(of(Math.max(a, b))).toBeGreaterThanOrEqual(of(Math.min(a, b)))
        },
      ),
    )
    const byWords = [1, 2, 3, 4].map((words) =>
      passageLikeness({ asked: 20, passage: 20, whole: 20, telling: 20, words, blocks: 1 }),
    )
    const [one = 0, two = 0, three = 0, four = 0] = byWords
    expect(one < two && two < three && three === four).toBe(true)
    expect(passageLikeness({ asked: 0, passage: 0, whole: 0, telling: 0, words: 0, blocks: 1 })).toBe(0)
  })

  test('hostile texts and questions cost no more than others', () => {
    const texts = [
      'x'.repeat(1_000_000),
      'crane '.repeat(200_000),
      '潮汐'.repeat(200_000),
      'aB1_'.repeat(250_000),
      '\ud800\u0000'.repeat(1_000),
    ]
    const start = process.cpuUsage()
    const index = indexOf(texts)
    for (const question of [...texts, `${'torque '.repeat(1_000)}crane`]) index.search(question, 5)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(8_000)
    expect(index.search('crane', 1)[0]?.key).toBe(1)
  })
})
