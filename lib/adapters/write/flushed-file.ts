import { unlinkIfThere, writeAll } from '../../engine/file-state'
import type { WriteFiles } from '../../engine/write-ports'

/**
 * Writes one of our own files so that it is there whole or not at all: prepared under another name, flushed, renamed,
 * the folder flushed. What an earlier crash left under that other name is replaced.
 * @param prepared the other name, in the same folder
 * @param beforeRename may look at the prepared file and throw
 */
export async function writeFlushed(
  files: WriteFiles,
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  prepared = `${path}.tmp`,
  beforeRename: () => Promise<void> = async () => undefined,
): Promise<void> {
  await unlinkIfThere(files, prepared)
  const file = await files.create(prepared, 0o600)
  try {
    try {
      for await (const piece of content) await writeAll(file, piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await beforeRename()
    await files.rename(prepared, path)
  } catch (error) {
    await files.unlink(prepared).catch(() => undefined)
    throw error
  }
  await files.syncFolder(files.folderOf(path))
}
