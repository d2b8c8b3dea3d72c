import { describe, expect, it } from 'vitest'
import { SUMMARY_CHARS, summaryMark } from './summary-marks'
import { fingerprintOf } from './text-marks'

const has = (numbers: readonly number[], text: string) => numbers.includes(fingerprintOf(text))

describe('what a summary says', () => {
  it('is its words in their normal form, names also by their parts', () => {
    const { words } = summaryMark('The footerView counts boats.')
    for (const word of ['footerview', 'footer', 'view', 'count', 'boat']) expect(has(words, word)).toBe(true)
    expect(has(words, 'hull')).toBe(false)
  })

  it('is its sentences and lines in lower case, each once', () => {
    const { sentences } = summaryMark('The boat is painted. The mast is broken.\nTHE BOAT IS PAINTED.')
    expect(sentences).toEqual(['the boat is painted.', 'the mast is broken.'].map(fingerprintOf))
  })

  it('is names of files as they are written, without their folders and the end of the sentence', () => {
    const { words } = summaryMark('Read src/Hull.test.ts, then @boats/keel-plan.md.')
    for (const name of ['Hull.test.ts', 'keel-plan.md.', 'keel-plan.md']) expect(has(words, name)).toBe(true)
    for (const name of ['src/Hull.test.ts', 'Hull.test.t']) expect(has(words, name)).toBe(false)
  })

  it('is no name of a folder, and none that is too long for one', () => {
    const folders = summaryMark('In src/ and docs/ it is.').words
    expect(has(folders, '')).toBe(false)
    const named = (chars: number) => {
      const name = `${'k.'.repeat(chars / 2 - 1)}ts`
      return has(summaryMark(`Read a/${name} now.`).words, name)
    }
    expect([named(200), named(202)]).toEqual([true, false])
  })
})

describe('of a long summary', () => {
  /** Words that no normal form changes. */
  const word = (at: number) =>
    `q${[at / 676, at / 26, at].map((n) => String.fromCharCode(97 + (Math.floor(n) % 26))).join('')}x`

  it('300 sentences are kept', () => {
    const lines = Array.from({ length: 301 }, (_, at) => `The berth of number ${at} is free.`)
    const { sentences } = summaryMark(lines.join('\n'))
    expect(sentences).toEqual(lines.slice(0, 300).map((line) => fingerprintOf(line.toLowerCase())))
  })

  it('6,000 words are kept, and of names none that comes behind them', () => {
    const words = Array.from({ length: 6_100 }, (_, at) => word(at))
    const mark = summaryMark(words.join(' '))
    expect(mark.words.length).toBe(6_000)
    expect([has(mark.words, word(0)), has(mark.words, word(6_099))]).toEqual([true, false])
    expect(has(summaryMark(`Hull.ts ${words.join(' ')}`).words, 'Hull.ts')).toBe(false)
  })

  it('what is behind its beginning is not looked at', () => {
    const { words, sentences } = summaryMark(`${'Go. '.repeat(SUMMARY_CHARS / 4)}The painted boats, hull.ts.`)
    expect([has(words, 'boat'), has(words, 'hull.ts'), sentences.length]).toEqual([false, false, 0])
    expect(has(summaryMark(`${'Go. '.repeat(SUMMARY_CHARS / 4 - 1)}boat`).words, 'boat')).toBe(true)
  })
})
