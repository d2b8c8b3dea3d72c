import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../testing/runs'
import { charsOverFour } from '../../tokens/estimate'
import { readLine } from './read-line'

const PLACE = { seq: 1, line: 2, offset: 30, bytes: 40 }

it('gives the same entry when no search needs its text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'NO_REPLY',
      ' '.repeat(400),
      '\n'.repeat(330),
      ' '.repeat(319),
      'word '.repeat(80),
      '',
      '  x',
    ),
    fc.string({ maxLength: 30 }),
  )
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
  const block = fc.oneof(
    text.map((text) => ({ type: 'text', text })),
    text.map((thinking) => ({ type: 'thinking', thinking })),
    text.map((command) => ({ type: 'toolCall', id: 'c', name: 'exec', arguments: { command } })),
  )
  const content = fc.oneof(text, fc.array(block, { maxLength: 4 }))
  const role = fc.constantFrom('user', 'assistant', 'toolResult', 'custom')
  fc.assert(
    fc.property(role, content, (role, content) => {
      const line = JSON.stringify({ type: 'message', id: 'a', parentId: null, message: { role, content } })
      const brief = readLine(line, PLACE, charsOverFour, { texts: false })
      const whole = readLine(line, PLACE, charsOverFour)
      expect(brief.fact).toEqual(whole.fact)
      expect(whole.searchText.startsWith(brief.searchText)).toBe(true)
    }),
    runs(300),
  )
})
