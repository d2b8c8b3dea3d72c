import { ENDING } from '../../core/cold/layout'
import { safeName } from '../../core/cold/names'
import type { ColdRecord } from '../../core/cold/record'
import type { WriteFiles } from '../../engine/write/write-ports'

/** The file of a record: always inside the root, whatever its ids are. */
export function coldPlace(
  files: WriteFiles,
  root: string,
  { sessionId, chunkId }: Pick<ColdRecord, 'sessionId' | 'chunkId'>,
): string {
  return files.join(root, safeName(sessionId), `${safeName(chunkId)}${ENDING}`)
}
