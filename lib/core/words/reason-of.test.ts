import { expect, test } from 'vitest'
import { reasonOf } from './reason-of'

test('the reason of a failure is the message of the error, and the text of whatever else was thrown', () => {
  expect(reasonOf(new TypeError('no such file'))).toBe('no such file')
  expect(reasonOf('plain words')).toBe('plain words')
  expect(reasonOf(undefined)).toBe('undefined')
})
