import type { FoundStore, FoundTranscript } from '../read/ports'

/** The folder that a write must not leave. A store that was named by one of its files has that file as its root. */
export function writeRoot(
  { root }: Pick<FoundStore, 'root'>,
  { path }: Pick<FoundTranscript, 'path'>,
): string {
  return root === path ? path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))) : root
}
