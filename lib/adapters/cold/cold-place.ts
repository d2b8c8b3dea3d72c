import { safeName } from '../../core/cold/names'
import type { ColdRecord } from '../../core/cold/record'
import type { WriteFiles } from '../../engine/write-ports'

export const ENDING = '.jsonl'

/** Folder of journals; its name is none that a session gets. */
export const JOURNALS = '.journal'

/** The index that memfas looks things up in. */
export const INDEX = `index${ENDING}`

/** The file of a record: always inside the root, whatever its ids are (I11). */
export function coldPlace(
  files: WriteFiles,
  root: string,
  { sessionId, chunkId }: Pick<ColdRecord, 'sessionId' | 'chunkId'>,
): string {
  return files.join(root, safeName(sessionId), `${safeName(chunkId)}${ENDING}`)
}
