import type { ColdRecord } from '../../core/cold/record'
import { writeAll } from '../write/file-state'
import type { WriteRefusal } from '../write/receipt'
import { asRefused, Refused, systemCode } from '../write/refusal'
import type { WriteFiles } from '../write/write-ports'

/** Writes the content of a chunk, and nothing else, into a new file. Answers why not, or null. */
export async function writeChunkFile(
  files: WriteFiles,
  path: string,
  { content }: Pick<ColdRecord, 'content'>,
): Promise<WriteRefusal | null> {
  try {
    const file = await files.create(path, 0o600)
    try {
      await writeAll(file, new TextEncoder().encode(content))
      await file.sync()
    } catch (error) {
      await files.unlink(path).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
    return null
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      return { code: 'changed', message: `${path} is there already; it is not overwritten.` }
    const reason = asRefused(error, path)
    if (reason instanceof Refused) return reason.refusal
    throw reason
  }
}
