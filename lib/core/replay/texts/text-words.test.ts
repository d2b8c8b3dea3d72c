import { describe, expect, it } from 'vitest'
import { wordsAsText } from './text-words'

describe('words of a text', () => {
  it('are letters and digits in small letters, whatever marks are between them', () => {
    expect(wordsAsText('slog.String(\\"agent\\", agentName)')).toBe(' slog string agent agentname ')
    expect(wordsAsText('a\\n\\tb → c')).toBe(' a b c ')
  })

  it('are without the numbers before the lines of a file', () => {
    for (const behind of ['→', '\t', ': ', '|'])
      expect(wordsAsText(`   9${behind}one\n  10${behind}two\n  11${behind}three`)).toBe(' one two three ')
  })

  it('keep a number that does not count the lines', () => {
    expect(wordsAsText('1511\tone\n1499\ttwo')).toBe(' 1511 one 1499 two ')
  })
})
