import { readFileState } from '../write/file-state'
import type { WriteResult } from '../write/receipt'
import { changeFiles } from '../write/replace-file'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import type { SettingPlan } from './plan-remedy'
import type { SettingPreview } from './preview-setting'
import { watchSummary } from './watched-remedy'

/** Of a settings file that is made: it may come to hold credentials. */
const NEW_MODE = 0o600

/**
 * Writes a planned setting with the writer of all stores: locked, compared with what the plan was made from, backed up,
 * replaced atomically, read again, with a receipt that can be undone and that says what is to be watched.
 */
export async function applySetting(
  writer: Writer,
  plan: SettingPlan,
  preview: Pick<SettingPreview, 'measure'>,
  { actor, wait }: { readonly actor: string; readonly wait: WaitOptions },
): Promise<WriteResult> {
  const { file, folder, edit, hash, finding, store } = plan
  const expected = await readFileState(writer, file)
  if ((expected?.hash ?? null) !== hash)
    return {
      kind: 'refused',
      refusal: {
        code: 'changed',
        message: `${file} is not what it was when the change was planned, or it is no regular file in UTF-8. Nothing was written; look at it again.`,
      },
    }
  const bytes = new TextEncoder().encode(edit.text)
  const produce = async function* () {
    yield bytes
  }
  const verify = async (read: () => AsyncIterable<Uint8Array>) => {
    let size = 0
    for await (const piece of read()) size += piece.length
    return size === bytes.length ? null : 'it does not hold what was to be written'
  }
  return changeFiles(writer, {
    intent: {
      kind: 'setting',
      actor,
      reason: `Sets ${edit.path.join('.')} to ${JSON.stringify(edit.to)} for the finding ${finding.id}.`,
      session: null,
      summary: watchSummary(plan, preview.measure?.name ?? null),
    },
    root: folder,
    kind: store.kind,
    operations: [
      expected === null
        ? { op: 'create', file, mode: NEW_MODE, produce, verify }
        : { op: 'replace', file, expected, produce, verify },
    ],
    wait,
  })
}
