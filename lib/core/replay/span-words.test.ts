import { describe, expect, it } from 'vitest'
import { SpanWords } from './span-words'
import { forWords } from './text-words'

describe('spans by their words', () => {
  const words = new SpanWords()
  words.learn(0, 'quoted', 'relation "shares" does not exist')
  words.learn(1, 'identifier', 'RewindPoint')
  words.learn(2, 'quoted', 'length !== 130')
  words.learn(3, 'identifier', 'TsoYang')
  const foundIn = (text: string) => {
    const found = new Set<number>()
    forWords(text, (hash) => words.read(hash))
    words.end((span) => found.add(span))
    return [...found].sort((a, b) => a - b)
  }

  it('are found without their marks and with escaped ones', () => {
    expect(foundIn('error: relation shares does not exist (42P01)')).toEqual([0])
    expect(foundIn('{"text":"relation \\\\"shares\\\\" does not exist"}')).toEqual([0])
    expect(foundIn('if (key.length !== 130) throw')).toEqual([2])
  })

  it('are found as a name in other letters and as words', () => {
    expect(foundIn('the rewind point was not there')).toEqual([1])
    expect(foundIn('/home/tsoyang/rewindpoint')).toEqual([1, 3])
  })

  it('are not found by some of their words', () => {
    expect(foundIn('the relation does not exist')).toEqual([])
    expect(foundIn('length of 130')).toEqual([])
  })
})
