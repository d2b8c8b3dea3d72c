import type { ReplayedPolicy } from '../../core/replay/experiment-result'

/** Limits that a policy must keep, as shares. */
export type ReplayLimits = {
  /** Share of the weight of needs that it leaves unmet, at most. */
  readonly maxRegret?: number
  /** Share of the cost that it saves, at least. */
  readonly minSaving?: number
}

/** What became of a limit for a policy; `value` null: it is not known, and then it is not kept. */
export type CheckedLimit = {
  readonly policy: string
  readonly limit: 'max-regret' | 'min-saving'
  readonly wanted: number
  readonly value: number | null
  readonly isKept: boolean
}

/** A user does not choose what keeps everything, what was, or an oracle. */
const NO_CHOICE: readonly string[] = ['all', 'oracle', 'recorded']

/** Holds limits against the policies that were named; where none was, against all that can be chosen. */
export function checkLimits(
  policies: readonly ReplayedPolicy[],
  named: readonly string[],
  { maxRegret, minSaving }: ReplayLimits,
): CheckedLimit[] {
  const held = policies.filter(
    ({ name, role }) => (named.length === 0 || named.includes(name)) && !NO_CHOICE.includes(role),
  )
  return held.flatMap(({ name, sum }): CheckedLimit[] => {
    const regret = sum.recall === null ? null : 1 - sum.recall.value
    const saving = sum.saving?.value ?? null
    return [
      ...(maxRegret === undefined
        ? []
        : [
            {
              ...{ policy: name, limit: 'max-regret' as const, wanted: maxRegret, value: regret },
              isKept: regret !== null && regret <= maxRegret,
            },
          ]),
      ...(minSaving === undefined
        ? []
        : [
            {
              ...{ policy: name, limit: 'min-saving' as const, wanted: minSaving, value: saving },
              isKept: saving !== null && saving >= minSaving,
            },
          ]),
    ]
  })
}
