import type * as z from 'zod'
import { knobSchema } from './knobs/knob-schema'
import { POLICY_KNOBS } from './knobs/policy-knobs'

/**
 * Everything that decides what stays in a window, as one value, checked: made of the table of knobs. Strict: an unknown
 * key is an error here; the readers of foreign files report theirs as warnings before they come this far.
 */
export const policySchema = knobSchema(POLICY_KNOBS)

/** A whole policy: every knob with its value. What each means, and its unit, is in `knobs/`. */
export type Policy = z.infer<typeof policySchema>

/** How many user turns of a channel's sessions are sent; null is no limit. */
export type ChannelLimits = Policy['history']['channels'][string]

/** A policy of which any part may be missing: what one file or one override says. */
export type PolicyPatch = DeepPartial<Policy>

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T
