import { expect, test } from 'vitest'
import { addressQuery, differingQuery, typedDay, typedPage, typedText } from './address-query'

test('an address says what differs from what is shown at first, and nothing else', () => {
  const first = { q: '', since: '', page: 1 }
  expect(differingQuery(first, first)).toBe('')
  expect(differingQuery({ q: 'berth & quay', since: '', page: 2 }, first)).toBe('?q=berth+%26+quay&page=2')
  expect(addressQuery(new URLSearchParams())).toBe('')
})

test('what an address cannot mean is left out', () => {
  expect([null, '2026-11-20', '2026-13-01', 'today'].map(typedDay)).toEqual(['', '2026-11-20', '', ''])
  expect([null, '', '3', '2.9', '-4', 'x', '0'].map(typedPage)).toEqual([1, 1, 3, 2, 1, 1, 1])
  expect(typedText('x'.repeat(300))).toHaveLength(200)
})
