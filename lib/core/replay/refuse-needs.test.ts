import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyReplay } from '../../testing/builders/any-replay'
import { refuseNeeds } from './refuse-needs'
import type { ReplaySession } from './replay-session'

const weightOf = ({ needs }: ReplaySession) => needs.weight.reduce((sum, weight) => sum + weight, 0)
const sourcesOf = ({ needs }: ReplaySession, need: number) =>
  [...needs.source].slice(needs.offset[need], needs.offset[need + 1])
const nameOf = ({ needs, calls, spans }: ReplaySession, need: number) => ({
  entry: calls.entry[needs.at[need] ?? 0] ?? -1,
  text: spans.texts[needs.span[need] ?? 0] ?? '',
})

describe('needs that the operator said are none', () => {
  it('leave, with their weight, to what is left out; the others stay as they are, with their sources', () => {
    fc.assert(
      fc.property(anyReplay(), fc.nat(), (session, pick) => {
        const { count } = session.needs
        if (count === 0) return
        const refused = nameOf(session, pick % count)
        const isRefused = (need: number) => {
          const { entry, text } = nameOf(session, need)
          return entry === refused.entry && text === refused.text
        }
        const left = refuseNeeds(session, [refused])
        const stay = [...Array(count).keys()].filter((need) => !isRefused(need))
        expect(left.needs.count).toBe(stay.length)
        for (const [i, need] of stay.entries()) {
          expect(nameOf(left, i)).toEqual(nameOf(session, need))
          expect(sourcesOf(left, i)).toEqual(sourcesOf(session, need))
        }
        const moved = left.excluded.refused - session.excluded.refused
        expect(weightOf(left) + moved).toBeCloseTo(weightOf(session), 3)
      }),
    )
  })

  it('of another session, or none at all, change nothing', () => {
    fc.assert(
      fc.property(anyReplay(), (session) => {
        expect(refuseNeeds(session, [])).toBe(session)
        expect(refuseNeeds(session, [{ entry: -7, text: 'nothing like it' }])).toBe(session)
      }),
    )
  })
})
