import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { observe, predict, startLeastSquares } from './least-squares'

describe('least squares', () => {
  it('keeps what is believed until something is observed', () => {
    const fit = startLeastSquares([1.25, 10], [0.1, 5])
    expect(predict(fit, [100, 1])).toBe(135)
  })

  it('finds the coefficients behind exact observations', () => {
    let fit = startLeastSquares([1, 0], [1, 50])
    for (let i = 1; i <= 40; i++) {
      const units = (i * 37) % 500
      fit = observe(fit, [units, 1], 1.4 * units + 20, 1)
    }
    expect(fit.mean[0]).toBeCloseTo(1.4, 3)
    expect(fit.mean[1]).toBeCloseTo(20, 0)
  })

  it('moves coefficients that are alike together', () => {
    const alone = observe(startLeastSquares([1, 1], [0.1, 0.1]), [100, 0], 120, 5)
    const alike = observe(startLeastSquares([1, 1], [0.1, 0.1], [[0, 1, 0.8]]), [100, 0], 120, 5)
    expect(alone.mean[1]).toBe(1)
    expect(alike.mean[1]).toBeGreaterThan(1.1)
  })

  it('gives in less to an observation with much noise', () => {
    const fit = startLeastSquares([1], [0.1])
    const sure = observe(fit, [100], 150, 5)
    const vague = observe(fit, [100], 150, 50)
    expect(vague.mean[0]).toBeGreaterThan(1)
    expect(vague.mean[0]).toBeLessThan(sure.mean[0] ?? 0)
  })

  it('stays finite and symmetric whatever is observed', () => {
    const features = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 3, maxLength: 3 })
    const observation = fc.tuple(features, fc.integer({ min: -1e6, max: 1e6 }))
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 60 }), (observations) => {
        let fit = startLeastSquares([1, 1, 10], [0.2, 0.2, 8], [[0, 1, 0.8]])
        for (const [x, y] of observations) fit = observe(fit, x, y, 5)
        expect(fit.mean.every(Number.isFinite)).toBe(true)
        for (const i of [0, 1, 2]) {
          for (const j of [0, 1, 2]) {
            expect(fit.covariance[i * 3 + j]).toBeCloseTo(fit.covariance[j * 3 + i] ?? Number.NaN, 6)
          }
        }
      }),
    )
  })
})
