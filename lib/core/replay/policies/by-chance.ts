import type { ReplayPolicy } from '../replay-policy'
import { HALF_BUDGET, trimStep } from './trim-to-budget'

/** Chance with the same budget as the policies by use: what their choice is worth is what they do better. */
export function byChance(seed: number): ReplayPolicy {
  return {
    id: `random-${seed}`,
    label: `By chance (${seed})`,
    about: `At 50 % of the window tool results and long arguments go by chance until 35 % are left. Seed ${seed}.`,
    source: 'a baseline: five seeds',
    family: 'random',
    start: (walk) => trimStep(walk, HALF_BUDGET, 'chance', (chunk) => hashed(chunk, seed)),
  }
}

/** A number that a chunk and a seed always give, spread evenly. */
function hashed(chunk: number, seed: number): number {
  let h = Math.imul(chunk ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
