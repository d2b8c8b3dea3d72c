import type { WriteFiles } from './write-ports'

/**
 * Where a write prepares the new content of a file: beside it, so that renaming is one step, and named after the
 * receipt, so that what a crash leaves behind is known as ours and found again.
 */
export function temporaryPath(
  files: Pick<WriteFiles, 'join' | 'folderOf' | 'nameOf'>,
  path: string,
  receipt: string,
): string {
  return files.join(files.folderOf(path), `.${files.nameOf(path)}.plimsoll-${receipt}.tmp`)
}
