import type { MeasureName } from '../../core/findings/effect/measures'
import type { Receipt } from '../write/receipt'
import type { SettingPlan } from './plan-remedy'

/** What a receipt says so that the effect can be measured later. */
export function watchSummary(
  { finding, edit, store }: Pick<SettingPlan, 'finding' | 'edit' | 'store'>,
  measure: MeasureName | null,
): Receipt['summary'] {
  const { from } = edit
  const isPlain = typeof from === 'string' || typeof from === 'number' || typeof from === 'boolean'
  return {
    finding: finding.id,
    findingKind: finding.kind,
    key: edit.path.join('.'),
    from: isPlain ? from : null,
    to: edit.to,
    storeId: store.id,
    agent: finding.concerns.agent,
    model: finding.concerns.model,
    measure,
  }
}
