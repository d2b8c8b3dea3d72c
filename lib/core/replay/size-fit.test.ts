import { describe, expect, it } from 'vitest'
import { fitSizes, type SizedPrompt } from './size-fit'

const expected = { fixed: 5_000, slope: 1.2 }

const promptsOn = (slope: number, fixed: number, units: readonly number[]): SizedPrompt[] =>
  units.map((one) => ({ units: one, thinking: 0, prompt: Math.round(fixed + slope * one) }))

describe('the size of a session in tokens', () => {
  it('is the line that its prompts are on, whatever became of a few of them', () => {
    const units = Array.from({ length: 40 }, (_, i) => 500 + i * 900)
    const prompts = promptsOn(1.35, 14_000, units)
    for (const i of [5, 17, 29]) prompts[i] = { ...(prompts[i] as SizedPrompt), prompt: 3_000 }
    const fit = fitSizes(prompts, expected)
    expect(fit.slope).toBeCloseTo(1.35, 1)
    expect(fit.fixed).toBeGreaterThan(13_500)
    expect(fit.fixed).toBeLessThan(14_500)
    expect(fit.errorPct).toBeLessThan(1)
  })

  it('takes thinking in where prompts grow by it, and only there', () => {
    const grown = Array.from({ length: 20 }, (_, i) => ({ units: i * 700, thinking: i * i * 40 }))
    const sent = grown.map((one) => ({ ...one, prompt: 9_000 + 1.1 * (one.units + one.thinking) }))
    const left = grown.map((one) => ({ ...one, prompt: 9_000 + 1.1 * one.units }))
    expect(fitSizes(sent, expected).thinking).toBe(true)
    expect(fitSizes(left, expected).thinking).toBe(false)
  })

  it('goes by what is expected where prompts say too little, and says when nothing was reported', () => {
    expect(fitSizes([], expected)).toEqual({ ...expected, thinking: false, errorPct: null })
    expect(fitSizes(promptsOn(1.4, 8_000, [100]), expected)).toMatchObject({ slope: 1.2, fixed: 8_020 })
  })

  it('begins with what the first prompt shows where the line bends', () => {
    const units = Array.from({ length: 30 }, (_, i) => 50 + i * 2_000)
    const bent = units.map((one) => ({
      units: one,
      thinking: 0,
      prompt: 1_600 + 0.9 * one + 0.000003 * one * one,
    }))
    const fit = fitSizes(bent, expected)
    expect(fit.fixed).toBeGreaterThan(1_400)
    expect(fit.fixed).toBeLessThan(1_700)
    expect(fit.errorPct).toBeLessThan(6)
  })

  it('never finds less than nothing before the conversation', () => {
    const fit = fitSizes(promptsOn(1.5, -2_000, [4_000, 8_000, 12_000, 16_000]), expected)
    expect(fit.fixed).toBe(0)
    expect(fit.slope).toBeGreaterThan(1)
  })
})
