import type { PickName } from '../../replay/tune/tune-state'

/** Findings whose cause is the policy, so that what a tuner found may cure them. */
const TUNED_KINDS: ReadonlySet<string> = new Set([
  'compaction-early',
  'compaction-late',
  'compaction-unprofitable',
  'compaction-frees-nothing',
  'compaction-chain',
  'overflow-uncompacted',
  'wanted-again',
  'kept-too-long',
  'cache-expired',
])

export function isTunable({ kind }: { readonly kind: string }): boolean {
  return TUNED_KINDS.has(kind)
}

export const PICK_NAMES = ['safe', 'balanced', 'cheap'] as const satisfies readonly PickName[]

/** The kind that a remedy has which is no finding's: values that a tuner found. */
export const TUNED_KIND = 'tuned'

/** What names a pick of a tuning as if it were a finding: `tuned.<experiment>.<pick>`. */
export function tunedId(experiment: string, pick: PickName): string {
  return `${TUNED_KIND}.${experiment}.${pick}`
}

/** Reads such a name; null: it is none. */
export function readTunedId(id: string): { readonly experiment: string; readonly pick: PickName } | null {
  const [, experiment, name] = /^tuned\.([\w-]{1,64})\.(\w+)$/.exec(id) ?? []
  const pick = PICK_NAMES.find((one) => one === name)
  return experiment === undefined || pick === undefined ? null : { experiment, pick }
}
