import { describe, expect, it } from 'vitest'
import { forWords } from '../texts/text-words'
import { SpanWords } from './span-words'

describe('spans by their words', () => {
  const words = new SpanWords()
  words.learn(0, 'quoted', 'table "cranes" is not there')
  words.learn(1, 'identifier', 'LiftingPoint')
  words.learn(2, 'quoted', 'height !== 130')
  words.learn(3, 'identifier', 'HarbourYard')
  words.learn(4, 'quoted', '-d harbour_staging')
  words.learn(5, 'quoted', 'Lifted-By: <name>')
  const foundIn = (text: string) => {
    const found = new Set<number>()
    forWords(text, (hash) => words.read(hash))
    words.end((span) => found.add(span))
    return [...found].sort((a, b) => a - b)
  }

  it('are found without their marks and with escaped ones', () => {
    expect(foundIn('error: table cranes is not there (42)')).toEqual([0])
    expect(foundIn('{"text":"table \\\\"cranes\\\\" is not there"}')).toEqual([0])
    expect(foundIn('if (key.height !== 130) throw')).toEqual([2])
  })

  it('are found as a name in other letters and as words', () => {
    expect(foundIn('the lifting point is gone')).toEqual([1])
    expect(foundIn('/home/harbouryard/liftingpoint')).toEqual([1, 3])
  })

  it('are found without options of one letter and placeholders', () => {
    expect(foundIn('database harbour_staging is up')).toEqual([4])
    expect(foundIn('the trailer Lifted-By says who')).toEqual([5])
  })

  it('are not found by some of their words', () => {
    expect(foundIn('the table is not here')).toEqual([])
    expect(foundIn('height of 130')).toEqual([])
  })
})
