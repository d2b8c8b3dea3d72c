import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs'
import { Branches } from './branches'
import { contextAt } from './context'
import type { EntryFact } from './entry'

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l')

type Step = {
  readonly kind: 'user' | 'compaction' | 'reset' | 'leaf' | 'custom'
  readonly id: string | null
  readonly parent: string | null | 'previous'
  readonly target: string
  readonly side: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('user', 'user', 'user', 'compaction', 'reset', 'leaf', 'custom'),
  // Mostly its own id; now and then one that another entry has.
  id: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, ids),
  parent: fc.oneof({ weight: 8, arbitrary: fc.constant('previous' as const) }, ids, fc.constant(null)),
  target: ids,
  side: fc.boolean(),
})

const UNIQUE = [...'abcdefghijklmnopqrstuvwxyz']

function facts(steps: readonly Step[], version: number): EntryFact[] {
  const place = { line: 0, offset: 0, bytes: 0, at: null }
  const header: EntryFact = {
    ...place,
    seq: 0,
    type: 'session',
    id: null,
    parentId: null,
    header: { version, sessionId: 's' },
  }
  let previous: string | null = null
  return [
    header,
    ...steps.map(({ kind, id, parent, target, side }, i): EntryFact => {
      const own = id ?? UNIQUE[i] ?? `x${i}`
      const parentId = parent === 'previous' ? previous : parent
      if (!side) previous = own
      return {
        ...place,
        seq: i + 1,
        type: kind === 'user' ? 'message' : kind,
        ...(kind === 'user' ? { role: 'user' } : {}),
        id: own,
        parentId,
        ...(kind === 'compaction' || kind === 'reset' ? { firstKeptEntryId: target } : {}),
        ...(kind === 'leaf' ? { targetId: target } : {}),
        ...(side && kind === 'custom' ? { side: true } : {}),
      }
    }),
  ]
}

/** The same tree with every parent looked up when it is asked for, rings and all. */
function carefully(all: readonly EntryFact[]): Branches {
  const branches = Branches.of(all)
  Object.assign(branches, { plainSoFar: false })
  return branches
}

describe('the tree', () => {
  it('answers the same in its fast way as in its careful one, at every cut of any transcript', () => {
    let plain = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 24 }), fc.constantFrom(3, 4), (steps, version) => {
        const all = facts(steps, version)
        for (let cut = 1; cut <= all.length; cut++) {
          const fast = Branches.of(all.slice(0, cut))
          const slow = carefully(all.slice(0, cut))
          if (fast.plain) plain++
          for (const { seq } of fast.facts)
            expect(fast.parentOf(seq), `parent of ${seq}`).toBe(slow.parentOf(seq))
          expect(fast.path(fast.leaf)).toEqual(slow.path(slow.leaf))
          expect(contextAt(fast, fast.leaf, 'pi')).toEqual(contextAt(slow, slow.leaf, 'pi'))
        }
      }),
      runs(150),
    )
    expect(plain).toBeGreaterThan(40)
  })

  it('knows a ring when it sees one', () => {
    const [header, entry] = facts([{ kind: 'user', id: 'a', parent: 'a', target: 'b', side: false }], 3)
    const branches = Branches.of([header, entry].filter((fact) => fact !== undefined))
    expect(branches.plain).toBe(false)
    expect(branches.path(branches.leaf)).toEqual([])
  })
})
