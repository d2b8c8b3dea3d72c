import { expect, it } from 'vitest'
import { numberAt } from './number-words'
import { forWords } from './text-words'

function numbersIn(text: string): string[] {
  const found: string[] = []
  forWords(text, (_, from, to) => found.push(...[numberAt(text, from, to)].filter((one) => one !== null)))
  return found
}

it('numbers are found wherever they are whole', () => {
  expect(numbersIn('see #1531, pull/1532 and logs/27748348602.txt, "number":1533')).toEqual([
    '1531',
    '1532',
    '27748348602',
    '1533',
  ])
})

it('places in files, parts of decimal numbers and of names are none', () => {
  expect(numbersIn('walk.ts:1531:12, 1.1532, 1533.5, v1534, 12')).toEqual([])
})
