import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyReplay } from '../../../testing/builders/any-replay'
import { NEED_KINDS, type ReplaySession } from '../replay-session'
import { spanKey } from '../spans/span-key'
import { refuseNeeds } from './refuse-needs'

const weightOf = ({ needs }: ReplaySession) => needs.weight.reduce((sum, weight) => sum + weight, 0)
const sourcesOf = ({ needs }: ReplaySession, need: number) =>
  [...needs.source].slice(needs.offset[need], needs.offset[need + 1])
const nameOf = ({ needs, calls, spans }: ReplaySession, need: number) => ({
  entry: calls.entry[needs.at[need] ?? 0] ?? -1,
  text: spans.texts[needs.span[need] ?? 0] ?? '',
})
/** A session whose first need is of a kind, and of a text. */
const withFirst = (
  session: ReplaySession,
  kind: (typeof NEED_KINDS)[number],
  text: string,
): ReplaySession => ({
  ...session,
  needs: { ...session.needs, kind: session.needs.kind.with(0, NEED_KINDS.indexOf(kind)) },
  spans: { ...session.spans, texts: session.spans.texts.with(session.needs.span[0] ?? 0, text) },
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
          const kind = NEED_KINDS[session.needs.kind[need] ?? 0] ?? 'copy'
          const key = (one: string) =>
            kind === 'copy' || kind === 'rule' ? one : spanKey({ kind, text: one }, null)
          return entry === refused.entry && key(text) === key(refused.text)
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

  it.each([
    ['identifier', 'moorBerth', 'moorBerth()'],
    ['identifier', 'moorBerth', 'this.moorBerth'],
    ['path', 'src/berth.ts', 'src/berth.ts(12,5)'],
    ['path', 'src/berth.ts', './src/berth.ts'],
    ['hex', 'c0ffee12', 'C0FFEE12'],
  ] as const)('of kind %s, %s, are refused also where it was %s when it was said', (kind, now, then) => {
    fc.assert(
      fc.property(anyReplay(), (session) => {
        if (session.needs.count === 0) return
        const ready = withFirst(session, kind, now)
        const { entry } = nameOf(ready, 0)
        const left = refuseNeeds(ready, [{ entry, text: then }])
        expect(left.needs.count).toBeLessThan(ready.needs.count)
        expect(left.excluded.refused).toBeGreaterThanOrEqual(ready.excluded.refused)
        expect(refuseNeeds(ready, [{ entry, text: `${then}x` }])).toBe(ready)
      }),
      { numRuns: 20 },
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
