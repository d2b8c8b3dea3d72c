import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionOfPath } from '../../../testing/builders/replay-sessions'
import { shortPlanInput, shortPolicy } from '../../../testing/builders/short-path'
import { makePlan } from '../../compaction/make-plan'
import { NO_PRICES } from '../../tokens/own-prices'
import { callPrices } from '../walk/call-prices'
import { ReplayWalk } from '../walk/replay-walk'
import { shapeOf } from '../walk/session-shape'
import { planCut } from './plan-cut'

/** A conversation in short: turns of a user, answers with a call and its result, at once or later, answers without one. */
const path = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.tuple(fc.constantFrom('none', 'at once', 'later'), fc.integer({ min: 1, max: 90 })), {
        maxLength: 4,
      }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((turns) => {
    let id = 0
    let waiting: string[] = []
    const answered = (size: number) => {
      const results = [...waiting, `r:c${id}=${size}`]
      waiting = []
      return results
    }
    return turns
      .flatMap(([asked, answers]) => [
        `u=${asked}`,
        ...answers.flatMap(([result, size]) => {
          if (result === 'none') return [`a=${size}`]
          id += 1
          if (result === 'at once') return [`a:c${id}=10`, ...answered(size)]
          waiting.push(`r:c${id}=${size}`)
          return [`a:c${id}=10`]
        }),
      ])
      .join(' ')
  })

describe('D9, lab: one planner', () => {
  it('cuts a session at the same entry live and in replay', () => {
    fc.assert(
      fc.property(
        path,
        fc.integer({ min: 0, max: 200 }),
        fc.option(fc.integer({ min: 0, max: 4 })),
        fc.boolean(),
        (text, keep, turns, share) => {
          const base = shortPolicy(keep, turns)
          const policy = {
            ...base,
            compaction: { ...base.compaction, withinShare: share },
            history: { ...base.history, maxShare: 0.1 },
          }
          const plan = makePlan(shortPlanInput(text, keep, { policy }))
          const walk = new ReplayWalk()
          const session = sessionOfPath(text)
          walk.begin(shapeOf(session), callPrices(session, NO_PRICES))
          walk.arrive(0)
          const cut = planCut(walk, { policy, summaryTokens: () => 10, pressing: false })
          const live =
            plan.kind === 'nothing'
              ? null
              : shortPlanInput(text, keep).path.findIndex(({ fact }) => fact.id === plan.firstKeptEntryId)
          expect(cut?.to ?? null).toBe(live)
        },
      ),
      { numRuns: 150 },
    )
  })
})
