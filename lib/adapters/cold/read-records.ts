import { safeName } from '../../core/cold/names'
import { readColdLine } from '../../core/cold/record'
import type { ScannedChunk } from '../../engine/cold/cold-index'
import type { ColdProblem } from '../../engine/cold/cold-store'

/** Larger files are no chunks. Bytes. */
export const MAX_FILE = 256 * 1024 * 1024

/** A folder that changed so recently may change again without its time telling. Milliseconds. */
export const RESTLESS_MS = 2000

/** The chunks in a file of a session's folder, and what else is there. */
export function readRecords(
  file: string,
  folder: string,
  text: string,
): { readonly chunks: readonly ScannedChunk[]; readonly problems: readonly ColdProblem[] } {
  const chunks: ScannedChunk[] = []
  const problems: ColdProblem[] = []
  for (const [i, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue
    const line = i + 1
    const read = readColdLine(content)
    if (!read.ok) problems.push({ file, line, kind: read.kind, why: read.why })
    else if (read.record.sessionId === folder || safeName(read.record.sessionId) === folder) {
      chunks.push({ chunk: { ...read.record, file }, line })
      for (const why of read.odd) problems.push({ file, line, kind: 'odd', why })
    } else {
      const why = `the record is of session ${JSON.stringify(read.record.sessionId)}, not of ${JSON.stringify(folder)}`
      problems.push({ file, line, kind: 'foreign', why })
    }
  }
  return { chunks, problems }
}
