import { expect, it } from 'vitest'
import { mergeInto, mergePatches } from './merge-patches'
import type { PolicyPatch } from './policy'

const FIRST: PolicyPatch = {
  window: { cap: 1, byModel: { a: 1, b: 2 } },
  bootstrap: { files: ['A.md'] },
  reserve: { tokens: 5 },
}
// What a file may say where something else belongs, and a channel by a name that every object has.
const SECOND = {
  window: { cap: null, byModel: { b: 3, c: 4 } },
  bootstrap: { files: ['B.md'] },
  reserve: null,
  lines: [],
  history: { channels: { constructor: { dmTurns: 3 } } },
} as unknown as PolicyPatch
const MERGED = {
  window: { cap: null, byModel: { a: 1, b: 3, c: 4 } },
  bootstrap: { files: ['B.md'] },
  reserve: null,
  lines: [],
  history: { channels: { constructor: { dmTurns: 3 } } },
}

it('objects merge, lists and values replace, and what was merged stays as it was', () => {
  const before = structuredClone(FIRST)
  expect(mergePatches(FIRST, SECOND)).toEqual(MERGED)
  expect(mergePatches({ reserve: null } as unknown as PolicyPatch, FIRST)).toEqual(FIRST)
  expect(mergePatches({ history: { channels: {} } }, SECOND).history).toEqual(MERGED.history)
  expect(FIRST).toEqual(before)
})

it('into a patch itself, objects that were put in are not shared with it', () => {
  const target: PolicyPatch = {}
  mergeInto(target, FIRST)
  const before = structuredClone(FIRST)
  mergeInto(target, SECOND)
  expect(target).toEqual(MERGED)
  expect(FIRST).toEqual(before)
  mergeInto(target, FIRST)
  expect(target.reserve).toEqual({ tokens: 5 })
})

it('a key that would change what all objects inherit changes one object at most', () => {
  const everywhere = Object.prototype as { polluted?: number }
  try {
    mergeInto({}, JSON.parse('{ "__proto__": { "polluted": 1 } }'))
    mergePatches({}, JSON.parse('{ "__proto__": { "polluted": 1 } }'))
    expect(everywhere.polluted).toBeUndefined()
  } finally {
    delete everywhere.polluted
  }
})
