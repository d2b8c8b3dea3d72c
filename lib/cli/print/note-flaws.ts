import type { FileFlaw } from '../../core/transcript/file-flaws'
import type { Io } from '../io'
import { note } from './output'

/** Says on standard error what is wrong with a transcript as a file. */
export async function noteFlaws(io: Io, path: string, flaws: readonly FileFlaw[]): Promise<void> {
  for (const { text } of flaws) await note(io, `${path}: ${text}`)
}
