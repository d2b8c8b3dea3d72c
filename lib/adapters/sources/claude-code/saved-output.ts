import { closeSync, readSync } from 'node:fs'
import path from 'node:path'
import type { FoundStore, FoundTranscript } from '../../../engine/read/ports'
import { SourceProblem } from '../../../engine/read/source-problem'
import { openInside } from '../../files/regular-file'

/** Larger files are not read; the client saves no more than about twice as much. Bytes. */
export const MOST_SAVED_BYTES = 32 * 1024 * 1024

/**
 * The whole of an output that Claude Code saved beside the transcript, as `savedOutputName` names it. Files are looked
 * for in the folder of the session that the transcript is of, and nowhere else.
 * @throws SourceProblem when it is gone, leads out of the store, or is too large
 */
export function readSavedOutput(
  { root }: Pick<FoundStore, 'root'>,
  { path: transcript }: Pick<FoundTranscript, 'path'>,
  name: string,
): string {
  const file = path.join(sessionFolder(transcript), 'tool-results', path.basename(name))
  const { fd, stat } = openInside(root, file)
  try {
    if (stat.size > MOST_SAVED_BYTES)
      throw new SourceProblem(
        'unreadable',
        file,
        `${file} has ${stat.size} bytes, and no more than ${MOST_SAVED_BYTES} are read. Open it with another tool.`,
      )
    const bytes = Buffer.alloc(stat.size)
    let at = 0
    while (at < bytes.length) {
      const read = readSync(fd, bytes, at, bytes.length - at, at)
      if (read === 0) break
      at += read
    }
    return bytes.toString('utf8', 0, at)
  } finally {
    closeSync(fd)
  }
}

/** `<folder>/<session>` of `<folder>/<session>.jsonl`, and of a sub-agent's transcript in it. */
function sessionFolder(transcript: string): string {
  const folder = path.dirname(transcript)
  if (path.basename(folder) === 'subagents') return path.dirname(folder)
  return path.join(folder, path.basename(transcript, '.jsonl'))
}
