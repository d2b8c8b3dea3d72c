import { expect, it } from 'vitest'
import { shortDigest } from './short-digest'

it('C12 a text has the same nine letters and digits in every release, so that new ids of calls stay', () => {
  expect(shortDigest('berth')).toBe('ui1y20464')
  // One of its rounds is a small number.
  expect(shortDigest('call_10')).toBe('qz0019qd9')
})
