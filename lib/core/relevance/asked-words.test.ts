import { describe, expect, test } from 'vitest'
import { FIGURE, wordsAsked } from './asked-words'

/** What texts know: words by their place in the list, with how many texts have each. */
function askedOf(question: string, holders: Readonly<Record<string, number>> = {}, texts = 10) {
  const words = Object.keys(holders)
  return wordsAsked(question, {
    texts,
    numberOf: (word) => (words.includes(word) ? words.indexOf(word) : undefined),
    holdersOf: (word) => holders[word] ?? 0,
  })
}

/** Rarity of a word that so many of 10 texts have, as if there were 30 more. */
const rarity = (held: number) => Math.log(1 + (40 - held + 0.5) / (held + 0.5))

const PLAIN = { telling: true, isName: false, parts: [], partsCredit: 0.8 }

describe('H4, I4: what a question asks for', () => {
  test('each word once, by how rare it is; empty ones not at all', () => {
    expect(askedOf('The cranes of the crane, and a pier', { crane: 4 })).toEqual([
      { ...PLAIN, weight: rarity(4), ways: [{ term: 0, credit: 1 }] },
      { ...PLAIN, weight: rarity(0), ways: [] },
    ])
  })

  test('related words do as well in part; what no text has is as rare as the commonest of them', () => {
    const [word] = askedOf('delete', { remov: 3, eras: 5 })
    expect(word).toEqual({
      ...{ ...PLAIN, weight: rarity(5) },
      ways: [
        { term: 0, credit: 0.4 },
        { term: 1, credit: 0.4 },
      ],
    })
    const [own] = askedOf('delete', { remov: 3, delet: 1 })
    expect(own).toMatchObject({
      weight: rarity(1),
      ways: [
        { term: 1, credit: 1 },
        { term: 0, credit: 0.4 },
      ],
    })
  })

  test('a name does by all of its parts that say something, and is as rare as the rarest of them', () => {
    expect(askedOf('footerView', { footer: 6, view: 2 })).toEqual([
      { weight: rarity(2), telling: true, isName: true, ways: [], parts: [0, 1], partsCredit: 0.8 },
    ])
    expect(askedOf('theFooter', { footer: 6, the: 9 })[0]).toMatchObject({
      ...{ weight: rarity(6), isName: true, parts: [0] },
    })
    expect(askedOf('15.5.2', { 15: 4 })[0]).toMatchObject({ isName: false, parts: [0] })
    expect(askedOf('dockDock', { dock: 6 })[0]?.parts).toEqual([0])
    expect(askedOf('footerView', { footer: 6 })[0]).toMatchObject({ weight: rarity(0), parts: [] })
  })

  test('where no space parts words, a pair of characters is no name of two', () => {
    expect(askedOf('潮汐', { 潮: 3, 汐: 3, 潮汐: 1 })).toEqual([
      { ...PLAIN, weight: rarity(1), ways: [{ term: 2, credit: 1 }] },
    ])
  })

  test('words of asking count for a part of a common word', () => {
    expect(askedOf('remember', { rememb: 9 })[0]).toMatchObject({ weight: rarity(9) * 0.3, telling: false })
    expect(askedOf('remember')[0]).toMatchObject({ weight: 3 * 0.3, telling: false })
  })

  test('a question for a figure asks for any, where texts have one', () => {
    const figure = { weight: 2, telling: false, isName: false, ways: [{ term: 1, credit: 1 }] }
    const asked = askedOf('How many cranes?', { crane: 4, [FIGURE]: 5 })
    expect(asked.at(-1)).toEqual({ ...figure, parts: [], partsCredit: 0 })
    expect(asked).toHaveLength(3)
    expect(askedOf('How many cranes?', { crane: 4 })).toHaveLength(2)
    expect(askedOf('So many cranes', { crane: 4, [FIGURE]: 5 })).toHaveLength(2)
  })

  test('of a long question the first 64 words', () => {
    const long = Array.from({ length: 64 }, (_, i) => `berth${i}q`)
    const figure = { [FIGURE]: 5 }
    expect(askedOf(`${long.join(' ')} crane, how many?`, figure)).toHaveLength(64)
    expect(askedOf(`${long.slice(0, 63).join(' ')} crane pier`, figure)).toHaveLength(64)
    expect(askedOf(`${long.slice(0, 62).join(' ')} how many?`, figure)).toHaveLength(64)
  })
})
