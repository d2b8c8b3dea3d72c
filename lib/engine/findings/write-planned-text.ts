import { readFileState } from '../write/file-state'
import type { Receipt, WriteResult } from '../write/receipt'
import { changeFiles } from '../write/replace-file'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'

/** Of a file that is made: it may come to hold credentials. */
const NEW_MODE = 0o600

type PlannedText = {
  readonly file: string
  /** The folder that the file must stay in. */
  readonly folder: string
  /** Of the bytes that the text was made from; null: there was no file. */
  readonly hash: string | null
  readonly text: string
  readonly store: Receipt['store']
  readonly intent: Pick<Receipt, 'actor' | 'reason' | 'summary'>
  readonly wait: WaitOptions
}

/**
 * Writes the text of a file of a runtime with the writer of all stores: locked, compared with what the plan was made
 * from, backed up, replaced atomically, read again, with a receipt that can be undone.
 */
export async function writePlannedText(
  writer: Writer,
  { file, folder, hash, text, store, intent, wait }: PlannedText,
): Promise<WriteResult> {
  const expected = await readFileState(writer, file)
  if ((expected?.hash ?? null) !== hash)
    return {
      kind: 'refused',
      refusal: {
        code: 'changed',
        message: `${file} is not what it was when the change was planned, or it is no regular file in UTF-8. Nothing was written; look at it again.`,
      },
    }
  const bytes = new TextEncoder().encode(text)
  const produce = async function* () {
    yield bytes
  }
  const verify = async (read: () => AsyncIterable<Uint8Array>) => {
    let size = 0
    for await (const piece of read()) size += piece.length
    return size === bytes.length ? null : 'it does not hold what was to be written'
  }
  return changeFiles(writer, {
    intent: { kind: 'setting', session: null, ...intent },
    root: folder,
    kind: store,
    operations: [
      expected === null
        ? { op: 'create', file, mode: NEW_MODE, produce, verify }
        : { op: 'replace', file, expected, produce, verify },
    ],
    wait,
  })
}
