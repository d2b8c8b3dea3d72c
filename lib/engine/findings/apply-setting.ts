import type { Foreseen } from '../../core/findings/remedies/foreseen'
import type { WriteResult } from '../write/receipt'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import type { SettingPlan } from './plan-remedy'
import type { TunedBasis } from './plan-tuned'
import type { SettingPreview } from './preview-setting'
import { promiseSummary } from './promised-effect'
import { changedBy } from './setting-edits'
import { watchSummary } from './watched-remedy'
import { writePlannedText } from './write-planned-text'

/** Writes a planned setting; its receipt says what is to be watched. */
export async function applySetting(
  writer: Writer,
  plan: SettingPlan,
  preview: Pick<SettingPreview, 'measure'>,
  {
    actor,
    wait,
    basis = null,
    foreseen = null,
  }: {
    readonly actor: string
    readonly wait: WaitOptions
    /** What a tuner found, where the values are its. */
    readonly basis?: TunedBasis | null
    /** What a replay said it would do; null: none was made. */
    readonly foreseen?: Foreseen | null
  },
): Promise<WriteResult> {
  const { edits, finding, store } = plan
  if (plan.isOwn && plan.hash === null) await writer.files.makeFolder(plan.folder)
  return writePlannedText(writer, {
    ...{ file: plan.file, folder: plan.folder, hash: plan.hash, text: plan.text, store: store.kind, wait },
    intent: {
      actor,
      reason: `Sets ${edits.map(({ path, to }) => `${path.join('.')} to ${JSON.stringify(to)}`).join(', ')} for the finding ${finding.id}.`,
      summary: {
        ...watchSummary({ finding, store, ...changedBy(edits) }, preview.measure?.name ?? null),
        ...promiseSummary(preview.measure?.name ?? null, foreseen, basis),
      },
    },
  })
}
