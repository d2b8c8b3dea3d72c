// Apart from the schema, so that pages can know the defaults without carrying the checker.
import { HISTORY_KNOBS } from './knobs/history'
import type { KnobNode } from './knobs/knob'
import { POLICY_KNOBS } from './knobs/policy-knobs'
import type { ChannelLimits, Policy } from './policy'

/**
 * The defaults of every knob; each preset changes some of them.
 * @example
 * ```ts
 * import { DEFAULT_POLICY, type Policy } from 'plimsoll-agent'
 *
 * const small: Policy = { ...DEFAULT_POLICY, window: { ...DEFAULT_POLICY.window, cap: 64_000 } }
 * ```
 */
export const DEFAULT_POLICY = initialOf(POLICY_KNOBS) as Policy

/** A channel about which nothing was said: no limits. */
export const NO_CHANNEL_LIMITS = initialOf(HISTORY_KNOBS.members.channels.row) as ChannelLimits

/** What holds where nothing is said: of a table, no row. Lists are copies, since a policy may be changed in place. */
function initialOf(node: KnobNode): unknown {
  if (node.node === 'table') return {}
  if (node.node === 'knob') return Array.isArray(node.initial) ? [...node.initial] : node.initial
  const members = Object.entries(node.members)
  return Object.fromEntries(members.map(([key, member]) => [key, initialOf(member)]))
}
