import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CountedCall, type CutState, noteCall } from './cut-prompts'
import { estimated } from './figure'

/** Which of successive calls of one model are found to be cut, and what is known in the end. */
function judge(calls: readonly { reported: number; sent: number | null; copied?: boolean }[]) {
  let state: CutState | null = null
  const cut: boolean[] = []
  for (const { reported, sent, copied = false } of calls) {
    const call: CountedCall = { reported, copied, sent: sent === null ? null : estimated(sent, 5) }
    const noted = noteCall(state, call)
    state = noted.state
    cut.push(noted.isCut)
  }
  return { state, cut }
}

describe('B5: whether a provider cuts prompts', () => {
  it('shows in the same round report twice, while more and more is sent', () => {
    const { state, cut } = judge([
      { reported: 3_900, sent: null },
      { reported: 4_096, sent: null },
      { reported: 4_096, sent: 4_600 },
      { reported: 4_096, sent: 5_100 },
      { reported: 4_096, sent: 5_700 },
    ])
    expect(cut).toEqual([false, false, false, true, true])
    expect(state).toMatchObject({ size: 4_096, isProved: true })
  })

  it('takes one call more where the size is no round one', () => {
    const run = (reported: number) =>
      judge([
        { reported, sent: null },
        { reported, sent: reported * 1.3 },
        { reported, sent: reported * 1.6 },
      ]).cut
    expect(run(4_096)).toEqual([false, true, true])
    expect(run(4_003)).toEqual([false, false, true])
  })

  it('is remembered while prompts fit again, and forgotten when a larger one goes through', () => {
    const run = [
      { reported: 4_096, sent: null },
      { reported: 4_096, sent: 5_000 },
      { reported: 3_100, sent: null },
      { reported: 4_096, sent: 4_300 },
    ]
    expect(judge(run).cut).toEqual([false, true, false, true])
    expect(judge([...run, { reported: 9_000, sent: null }]).state?.isProved).toBe(false)
  })

  it.each([
    [
      'a retried request: nothing has grown',
      [5_000, 5_000, 5_000, 5_000],
      [6_500, 6_500, 6_500, 6_500],
      false,
    ],
    [
      'small talk: it has grown by less than the count is wrong',
      [5_000, 5_000, 5_000],
      [null, 5_060, 5_120],
      false,
    ],
    ['nothing was counted', [4_096, 4_096, 4_096], [null, null, null], false],
    ['a report too small to be a context', [64, 64, 64, 64], [null, 900, 1_800, 2_700], false],
    ['copies of one usage', [4_096, 4_096, 4_096], [null, 6_000, 9_000], true],
  ])('trap: %s', (_, reports, counts, copied) => {
    const calls = reports.map((reported, i) => ({
      reported,
      sent: counts[i] ?? null,
      copied: copied && i > 0,
    }))
    expect(judge(calls).cut).not.toContain(true)
  })

  it('finds every limit that is passed by far, and none where reports are what was sent', () => {
    const growth = fc.array(fc.integer({ min: 150, max: 3_000 }), { minLength: 12, maxLength: 60 })
    const limit = fc.constantFrom(2_048, 4_096, 8_192, 6_001)
    fc.assert(
      fc.property(growth, limit, (steps, size) => {
        let sent = 500
        const prompts = steps.map((step) => (sent += step))
        let anchor = 0
        const calls = prompts.map((prompt) => {
          const reported = Math.min(size, prompt)
          const doubtful = reported === anchor
          anchor = reported
          return { reported, sent: doubtful ? prompt : null }
        })
        const { cut } = judge(calls)
        cut.forEach((isCut, i) => {
          const prompt = prompts[i] ?? 0
          if (isCut) expect(prompt).toBeGreaterThan(size)
          if (prompt > size * 1.3 && (prompts[i - 3] ?? 0) > size) expect(isCut).toBe(true)
        })
        const honest = judge(prompts.map((prompt) => ({ reported: prompt, sent: null }))).cut
        expect(honest).not.toContain(true)
      }),
    )
  })

  it('never finds one without growth, whatever our count says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 600, max: 50_000 }),
        fc.double({ min: 1, max: 9, noNaN: true }),
        (reported, times) => {
          const calls = Array.from({ length: 8 }, () => ({ reported, sent: reported * times }))
          expect(judge(calls).cut).not.toContain(true)
        },
      ),
    )
  })
})
