/**
 * How one key of a foreign file becomes a value of the policy. Paths are dotted; a `*` stands for one key that the
 * operator chose (a channel, a user) and is filled into `to` in the same order.
 */
export type KeyRule = {
  readonly from: string
  /** The policy path; null for keys that we know and that no policy value stands for. */
  readonly to: string | null
  /** From the file's unit to ours, and back. */
  readonly read?: (value: unknown) => unknown
  readonly write?: (value: unknown) => unknown
  /** Set along with `to`, e.g. a line that is switched on by naming its threshold. */
  readonly also?: { readonly path: string; readonly value: unknown }
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
    const unit =
      ['d', 'h', 'm', 's'].find((u) => value >= (UNITS[u] ?? 1) && value % (UNITS[u] ?? 1) === 0) ?? 'ms'
    return `${value / (UNITS[unit] ?? 1)}${unit}`
  },
}
