/**
 * How one key of a foreign file becomes a value of the policy. Paths are dotted; a `*` matches one key that the
 * operator chose (a channel, a user) and is filled into `to` in the same order.
 */
export type KeyRule = {
  readonly from: string
  /** The policy path; null for keys that we know and that no policy value represents. */
  readonly to: string | null
  /** What the file must hold, where the value of the policy is of another type, or there is none. */
  readonly wants?: WantedType
  /** From the file's unit to ours, and back. What is read as undefined says nothing of the policy. */
  readonly read?: (value: unknown) => unknown
  readonly write?: (value: unknown) => unknown
  /** Which values the key can hold; a value that it cannot hold is written to another key, or not at all. */
  readonly takes?: (value: unknown) => boolean
  /** It is read and never written. */
  readonly readOnly?: true
  /**
   * Another key of the same meaning that may say otherwise: this one is written though that one is in use, and that one
   * is set to `value`; without a `value` it stays as it is.
   */
  readonly insteadOf?: { readonly from: string; readonly value?: unknown }
  /** Set along with `to`, e.g. a line that is switched on by naming its threshold. */
  readonly also?: { readonly path: string; readonly value: unknown }
}

/** A type that a key of a file has. */
export type WantedType = {
  readonly is: (value: unknown) => boolean
  /** In words, for the operator. */
  readonly allowed: string
}

export const TEXT: WantedType = { is: (value) => typeof value === 'string', allowed: 'a text' }

export const SWITCH: WantedType = { is: (value) => typeof value === 'boolean', allowed: 'true or false' }

/** One of several words. */
export function oneOf(...words: readonly string[]): WantedType {
  return { is: (value) => words.some((word) => word === value), allowed: `one of ${words.join(', ')}` }
}

/** One kind of configuration file: how to tell it, and what its keys mean. */
export type PolicyFormat = {
  readonly name: string
  /** Shown to the operator. */
  readonly label: string
  /** Parts of the file that are ours to know completely: an unknown key below them is worth a warning. */
  readonly sections: readonly string[]
  readonly rules: readonly KeyRule[]
  /** Keys are compared without regard to case. */
  readonly ignoreCase?: true
}

/** Seconds in the file, milliseconds in the policy. */
export const SECONDS: Pick<KeyRule, 'read' | 'write'> = {
  read: (value) => (typeof value === 'number' ? value * 1000 : value),
  write: (value) => (typeof value === 'number' ? value / 1000 : value),
}

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Durations such as `5m`, `90s`, `1h`; a bare number is minutes, as OpenClaw has it. Milliseconds in the policy. */
export const DURATION: Pick<KeyRule, 'read' | 'write'> = {
  read: (value) => {
    if (typeof value === 'number') return value * 60_000
    const match = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*$/.exec(value) : null
    return match === null ? value : Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN)
  },
  write: (value) => {
    if (typeof value !== 'number') return value
    const unit = ['d', 'h', 'm', 's'].find((u) => value > 0 && value % (UNITS[u] ?? 1) === 0) ?? 'ms'
    return `${value / (UNITS[unit] ?? 1)}${unit}`
  },
}
