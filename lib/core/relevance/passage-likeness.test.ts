import { expect, test } from 'vitest'
import { type PassageMatch, passageLikeness } from './passage-likeness'

const likeness = (changed: Partial<PassageMatch>) =>
  passageLikeness({ asked: 10, passage: 10, whole: 10, telling: 12, words: 3, blocks: 1, ...changed })

/** Above 0.28 of raw likeness, what is above counts for the upper half. */
const upper = (raw: number) => 0.5 + ((raw - 0.28) / 0.72) * 0.5

test.each<[string, Partial<PassageMatch>, number]>([
  // Of 12 telling words of weight 1, 12 / (12 + 3) is believed.
  ['a passage that has all', {}, upper(0.8)],
  ['a text that has all, its best passage half', { passage: 5 }, upper(0.8 * (0.65 / 2 + 0.35))],
  ['a passage with a fifth', { passage: 2, whole: 2 }, ((0.2 * 0.8) / 0.28) * 0.5],
  ['one of exactly what an answer has', { telling: 3, asked: 25, passage: 14, whole: 14 }, 0.5],
  ['less to believe', { telling: 3 }, upper(0.5)],
  ['nothing that tells', { telling: 0 }, 0],
  ['one word', { words: 1 }, upper(0.8 * 0.4)],
  ['two words', { words: 2 }, upper(0.8 * 0.8)],
  ['four words', { words: 4 }, upper(0.8)],
  ['a longer text', { blocks: 20 }, upper(0.8 * (1 - 0.04 * Math.log(20)))],
  ['the longest text', { blocks: 1_000 }, upper(0.8 * 0.84)],
  ['a question of nothing', { asked: 0, passage: 0, whole: 0 }, 0],
])('H4, I4: likeness of %s', (_what, match, expected) => {
  expect(likeness(match)).toBeCloseTo(expected, 12)
})
