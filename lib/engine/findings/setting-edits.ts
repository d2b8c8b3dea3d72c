import type { ValueEdit } from '../../core/findings/remedies/edit-setting'
import type { SettingPlan } from './plan-remedy'

/** The keys that a change sets, for a reader. */
export function keysOf({ edits }: Pick<SettingPlan, 'edits'>): string {
  return edits.map(({ path }) => path.join('.')).join(', ')
}

type Plain = string | number | boolean

/** What a receipt says of a change: of several values lists for a reader. */
export function changedBy(edits: readonly ValueEdit[]): {
  readonly key: string
  readonly from: unknown
  readonly to: Plain
} {
  const [only] = edits
  return edits.length === 1 && only !== undefined
    ? { key: keysOf({ edits }), from: only.from, to: only.to }
    : {
        key: keysOf({ edits }),
        from: edits.map(({ from }) => String(from ?? 'not set')).join(', '),
        to: edits.map(({ to }) => String(to)).join(', '),
      }
}
