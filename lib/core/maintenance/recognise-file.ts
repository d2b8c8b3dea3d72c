import { kindOfFile } from './store-files'

/** So much of a file's beginning tells what it is. Bytes. */
export const RECOGNISED_BYTES = 64 * 1024

/** How every Zstandard frame begins (RFC 8878, 3.1.1). */
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]

/**
 * Whether a file of a sessions folder is by its content what its name says, so that maintenance may take it away:
 * transcripts and traces are JSON objects, those of transcripts with a `type`; an index, whole or half written, is one.
 * A file with nothing in it is what its name says.
 * @param head the file's first bytes, up to `HEAD_BYTES`
 */
export function isOwnFile(name: string, head: Uint8Array): boolean {
  if (head.length === 0) return true
  if (name.endsWith('.zst')) return ZSTD.every((byte, i) => head[i] === byte)
  const text = new TextDecoder().decode(head)
  const [first = ''] = text.split('\n').filter((line) => line.trim() !== '')
  if (!first.startsWith('{')) return false
  switch (kindOfFile(name)) {
    case 'transcript':
    case 'deleted':
    case 'reset':
    case 'backup':
      // The line may be longer than what was read of it.
      return /"type"\s*:\s*"/.test(first)
    default:
      return true
  }
}
