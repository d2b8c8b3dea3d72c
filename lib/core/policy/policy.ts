import type { KnobValue } from './knobs/knob'
import type { POLICY_KNOBS } from './knobs/policy-knobs'

/**
 * A whole policy: everything that decides what stays in a window, every knob with its value. What each means, and its
 * unit, is in `knobs/`.
 */
export type Policy = KnobValue<typeof POLICY_KNOBS>

/** How many user turns of a channel's sessions are sent; null is no limit. */
export type ChannelLimits = Policy['history']['channels'][string]

/** A policy of which any part may be missing: what one file or one override says. */
export type PolicyPatch = DeepPartial<Policy>

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T
