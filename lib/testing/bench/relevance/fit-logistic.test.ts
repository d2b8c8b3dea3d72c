import { expect, test } from 'vitest'
import { CORPUS } from '../../corpus'
import { corpusSessions } from '../corpus-sessions'
import { areaUnderCurve, fitLogistic } from './fit-logistic'
import { neededLater } from './needed-later'

test('a fit finds the coefficients that made the labels', () => {
  // Each row counts as many times as the odds demand: 1,000 of them, so that rounding matters little.
  const rows = [-2, -1, 0, 1, 2].flatMap((x) => {
    const positive = Math.round(1000 / (1 + Math.exp(-(0.5 + 1.5 * x))))
    return Array.from({ length: 1000 }, (_, i) => ({ features: [x], label: i < positive }))
  })
  const [base, slope] = fitLogistic(rows)
  expect(base).toBeCloseTo(0.5, 1)
  expect(slope).toBeCloseTo(1.5, 1)
})

test('the area under the curve is the share of pairs in the right order, ties half', () => {
  const rows = (values: readonly [number, boolean][]) => values.map(([value, label]) => ({ value, label }))
  expect(
    areaUnderCurve(
      rows([
        [1, false],
        [2, true],
      ]),
    ),
  ).toBe(1)
  expect(
    areaUnderCurve(
      rows([
        [1, true],
        [2, false],
      ]),
    ),
  ).toBe(0)
  expect(
    areaUnderCurve(
      rows([
        [1, true],
        [1, false],
        [0, false],
      ]),
    ),
  ).toBe(0.75)
  expect(areaUnderCurve(rows([[1, true]]))).toBeNaN()
})

test.skipIf(CORPUS === null)('the sessions of the corpus are read as conversations with results', () => {
  const sessions = corpusSessions(CORPUS ?? '')
  expect(new Set(sessions.map(({ owner }) => owner)).size).toBe(4)
  for (const { messages } of sessions) {
    expect(messages.some(({ role }) => role === 'assistant')).toBe(true)
    expect(messages.some(({ role, text }) => role === 'toolResult' && text !== '')).toBe(true)
  }
  const samples = neededLater(sessions)
  const needed = samples.filter((sample) => sample.needed).length
  expect(needed).toBeGreaterThan(100)
  expect(needed).toBeLessThan(samples.length / 5)
})
