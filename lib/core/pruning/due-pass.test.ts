import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { estimated, measured, UNKNOWN } from '../tokens/figure'
import { duePass } from './due-pass'

const WINDOW = 200_000
const { lines } = DEFAULT_POLICY
const due = (moment: 'before' | 'after', share: number, policy = DEFAULT_POLICY) =>
  duePass(policy, WINDOW, moment, measured(share * WINDOW))

test.each([
  [0.399, null],
  [0.4, 'curate'],
  [0.41, 'curate'],
  [0.9, 'curate'],
])('H9: after an answer, at %d of the window: %s', (share, pass) => {
  expect(due('after', share)).toBe(pass)
})

test.each([
  [0.41, null],
  [0.499, null],
  [0.5, 'compact'],
])('A12: before a request, at %d of the window: %s', (share, pass) => {
  expect(due('before', share)).toBe(pass)
})

describe('A13: the hard line', () => {
  const policy = { ...DEFAULT_POLICY, lines: { ...lines, compact: { enabled: false, at: 0.5 } } }

  test('acts by itself where compaction is off', () => {
    expect([0.6, 0.849, 0.85].map((share) => due('before', share, policy))).toEqual([null, null, 'compact'])
  })

  test('what is only estimated counts with its margin, and what comes in with the request counts', () => {
    expect(duePass(policy, WINDOW, 'before', estimated(0.71 * WINDOW, 10))).toBe('compact')
    expect(duePass(policy, WINDOW, 'before', measured(0.7 * WINDOW), 0.15 * WINDOW)).toBe('compact')
    expect(duePass(policy, WINDOW, 'before', UNKNOWN)).toBeNull()
  })
})
