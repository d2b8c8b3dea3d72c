import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDecision, isRule, mayHold, sentencesOf } from './sentences'

const PIECES = [
  ...['never', 'Must', 'keep the', 'we decided', 'root cause', 'because', 'stick to', 'ship', 'berth nine'],
  ...[
    '. ',
    '! ',
    '?',
    '\n',
    '- ',
    '* [ ] ',
    '12. ',
    ' ',
    '`',
    '```\n',
    ':',
    '(',
    'é',
    '_',
    '> ',
    '\r\n',
    '\u00a0',
  ],
]

describe('a text of which no part sets a rule or decides anything', () => {
  it('has no sentence that does', () => {
    const texts = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const sentences = sentencesOf(text)
        expect(mayHold.rule(text) || !sentences.some(isRule)).toBe(true)
        expect(mayHold.decision(text) || !sentences.some(isDecision)).toBe(true)
      }),
    )
  })

  it('is told from one that has', () => {
    expect(mayHold.rule('Where does the ship lie?')).toBe(false)
    expect(mayHold.rule('See above.\n- never push to main')).toBe(true)
    expect(mayHold.decision('The root cause is a lock.')).toBe(true)
  })
})
