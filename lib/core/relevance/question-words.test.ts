import { describe, expect, test } from 'vitest'
import { asksForFigure, lazyWords } from './question-words'
import { relatedIn, relatedTo } from './related-words'

describe('H4, I4: words of questions', () => {
  test('a figure is asked for by `how many` and the like, or by what figures are called', () => {
    expect(asksForFigure('how', 'mani')).toBe(true)
    expect(asksForFigure('so', 'mani')).toBe(false)
    expect(asksForFigure('how', 'crane')).toBe(false)
    expect(asksForFigure('the', 'port')).toBe(true)
  })

  test('words of a list are known as they are and in their normal form, which is made once', () => {
    const words = lazyWords('many  cranes\n   of')
    expect([...words()]).toEqual(['many', 'mani', 'cranes', 'crane', 'of'])
    expect(words()).toBe(words())
  })

  test('words of a group are related to each other, those of several groups to all of them', () => {
    const related = relatedIn('bugs fault fault, fix repair, fault\n fix')
    expect(Object.fromEntries(related)).toEqual({
      bug: ['fault'],
      fault: ['bug', 'fix'],
      fix: ['repair', 'fault'],
      repair: ['fix'],
    })
  })

  test('the groups of related words are read once', () => {
    expect(relatedTo('fix')).toBe(relatedTo('fix'))
    expect(relatedTo('fix')).not.toEqual([])
  })
})
