import { expect, test } from 'vitest'
import { withFullStop } from './full-stop'

test('a sentence ends with one full stop, whether the text brought its own or not', () => {
  expect(withFullStop('not found')).toBe('not found.')
  expect(withFullStop('not found. ')).toBe('not found.')
  expect(withFullStop('not found..')).toBe('not found.')
  expect(withFullStop('Really?')).toBe('Really?')
  expect(withFullStop('and so on…')).toBe('and so on…')
  expect(withFullStop('and so on...')).toBe('and so on...')
})
