import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { patchAt, resolvePolicy } from '../../core/policy/resolve'

/** Two values of a knob, and something that comes out differently by them: a plan, lines, a request, a decision. */
export type Effect = {
  readonly path: string
  readonly values: readonly [first: unknown, second: unknown]
  readonly outcome: (policy: Policy) => unknown
  /** What the other knobs must be for this one to matter. */
  readonly base: PolicyPatch
}

/** Knobs whose values show in the same outcome. */
export function effects(
  outcome: Effect['outcome'],
  base: PolicyPatch,
  knobs: { readonly [path: string]: Effect['values'] },
): Effect[] {
  return Object.entries(knobs).map(([path, values]) => ({ path, values, outcome, base }))
}

/** What comes out by each of the two values, as text. */
export async function outcomes({ path, values, outcome, base }: Effect): Promise<readonly string[]> {
  const texts: string[] = []
  for (const value of values) {
    const layers = [base, patchAt(path, value)]
    const { policy } = resolvePolicy(layers.map((patch, i) => ({ level: 'session', label: `${i}`, patch })))
    texts.push(JSON.stringify(await outcome(policy)) ?? 'undefined')
  }
  return texts
}
