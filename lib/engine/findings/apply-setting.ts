import type { WriteResult } from '../write/receipt'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import type { SettingPlan } from './plan-remedy'
import type { SettingPreview } from './preview-setting'
import { watchSummary } from './watched-remedy'
import { writePlannedText } from './write-planned-text'

/** Writes a planned setting; its receipt says what is to be watched. */
export async function applySetting(
  writer: Writer,
  plan: SettingPlan,
  preview: Pick<SettingPreview, 'measure'>,
  { actor, wait }: { readonly actor: string; readonly wait: WaitOptions },
): Promise<WriteResult> {
  const { edit, finding, store } = plan
  return writePlannedText(writer, {
    ...{ file: plan.file, folder: plan.folder, hash: plan.hash, text: edit.text, store: store.kind, wait },
    intent: {
      actor,
      reason: `Sets ${edit.path.join('.')} to ${JSON.stringify(edit.to)} for the finding ${finding.id}.`,
      summary: watchSummary(
        { finding, store, ...edit, key: edit.path.join('.') },
        preview.measure?.name ?? null,
      ),
    },
  })
}
