import type { ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { HALF_BUDGET, trimStep } from './trim-to-budget'

/** What went unused for longest goes first: a use is a call that wrote something that is in the chunk. */
export const LEAST_USED: ReplayPolicy = {
  id: 'lru-by-need',
  label: 'Least recently used',
  about:
    'At 50 % of the window tool results and long arguments go until 35 % are left, those first that no call has drawn on for longest.',
  source: 'LRU over needs seen so far, a baseline of this project',
  family: 'use',
  start: (walk) => {
    const lastUse = new Int32Array(walk.session.chunks.count).fill(-1)
    let next = 0
    const step = trimStep(walk, HALF_BUDGET, 'unused', (chunk) =>
      Math.max(lastUse[chunk] as number, walk.session.chunks.born[chunk] as number),
    )
    return (call) => {
      const { needs } = walk.session
      for (; next < needs.count && (needs.at[next] as number) < call; next++)
        for (let i = needs.offset[next] as number; i < (needs.offset[next + 1] as number); i++)
          lastUse[needs.source[i] as number] = needs.at[next] as number
      step(call)
    }
  },
}

/** How many of the newest calls count as in use. */
const IN_USE = 8

/**
 * Keeps what the newest calls depend on, directly or through others: a need ties the call that wrote it to what held it.
 * Everything outside of that graph goes first.
 */
export const DEPENDENCIES: ReplayPolicy = {
  id: 'dependencies',
  label: 'By dependencies',
  about: `At 50 % of the window tool results and long arguments go until 35 % are left, those last that the newest ${IN_USE} calls depend on, directly or through other calls; among the others the oldest go first.`,
  source:
    'dependency-aware trimming, graded elsewhere under the name DTOC; how that one weighs was not found, so this is ours',
  family: 'use',
  start: (walk) => dependenciesStep(walk),
}

function dependenciesStep(walk: ReplayWalk) {
  const { chunks } = walk.session
  const depth = new Int32Array(chunks.count)
  let markedAt = -1
  const step = trimStep(walk, HALF_BUDGET, 'dependencies', (chunk, call) => {
    if (markedAt !== call) markUsed(walk, depth, call)
    markedAt = call
    return (depth[chunk] as number) * chunks.count + chunk
  })
  return step
}

/** By chunk: 0 where nothing in use depends on it, else more the nearer it is to what is in use. */
function markUsed(walk: ReplayWalk, depth: Int32Array, call: number): void {
  const { needs, chunks } = walk.session
  const { needEnd } = walk.shape
  depth.fill(0, 0, walk.end)
  for (let c = walk.end - 1; c >= 0 && (chunks.born[c] as number) > call - IN_USE; c--) depth[c] = MOST_DEPTH
  // Needs point backwards only: one pass from the newest call to the oldest finds all that is reached.
  for (let need = (needEnd[Math.max(0, call - 1)] as number) - 1; need >= 0; need--) {
    const at = needs.at[need] as number
    const reach = at > call - IN_USE ? MOST_DEPTH : depthOfCall(walk, depth, at) - 1
    if (reach <= 0) continue
    for (let i = needs.offset[need] as number; i < (needs.offset[need + 1] as number); i++) {
      const source = needs.source[i] as number
      if ((depth[source] as number) < reach) depth[source] = reach
    }
  }
}

const MOST_DEPTH = 16

/** What a call wrote comes in with the next one. */
function depthOfCall(walk: ReplayWalk, depth: Int32Array, call: number): number {
  const { bornEnd } = walk.shape
  let most = 0
  for (let c = bornEnd[call] as number; c < (bornEnd[call + 1] ?? 0); c++)
    most = Math.max(most, depth[c] as number)
  return most
}
