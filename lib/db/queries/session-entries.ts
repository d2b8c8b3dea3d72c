import { maskSecrets } from '../../core/redaction/secrets'
import { isCall } from '../../core/transcript/context'
import type { EntryLine } from '../../core/transcript/entry-line'
import type { Database } from '../client'
import { type EntryRowBlock, readBlocks, readBlocksOf } from '../entry-blocks'

/** The entries with these sequence numbers; those that do not exist are absent. In no particular order. */
export function entriesBySeq(
  database: Database,
  sessionRow: number,
  seqs: readonly number[],
): Map<number, EntryLine> {
  const wanted = new Set(seqs)
  const lines = new Map<number, EntryLine>()
  for (const block of readBlocksOf(database.connection, sessionRow, seqs)) {
    for (const line of linesOf(block)) if (wanted.has(line.seq)) lines.set(line.seq, masked(line))
  }
  return lines
}

/** The entries `from` to `to` (both included), in order. */
export function entriesBetween(
  database: Database,
  sessionRow: number,
  { from, to }: { readonly from: number; readonly to: number },
): EntryLine[] {
  return readBlocks(database.connection, sessionRow, from, to)
    .flatMap(linesOf)
    .filter(({ seq }) => seq >= from && seq <= to)
    .map(masked)
}

/** Sequence numbers of entries whose preview holds `text`, in order; letter case does not matter. */
export function findPreviews(database: Database, sessionRow: number, text: string, limit: number): number[] {
  const wanted = text.toLowerCase()
  const found: number[] = []
  for (const { facts } of readBlocks(database.connection, sessionRow)) {
    for (const { seq, preview } of facts) {
      if (preview?.toLowerCase().includes(wanted)) found.push(seq)
      if (found.length >= limit) return found
    }
  }
  return found
}

/** What an entry says, and what is said of it: the reason why a line cannot be read quotes the line. */
function masked(line: EntryLine): EntryLine {
  const { preview, problem } = line
  if (preview === null && problem === null) return line
  return {
    ...line,
    preview: preview === null ? null : maskSecrets(preview),
    problem: problem === null ? null : maskSecrets(problem),
  }
}

function linesOf({ facts, callsBefore }: EntryRowBlock): EntryLine[] {
  let call = callsBefore
  return facts.map((fact) => {
    const answers = isCall(fact)
    if (answers) call += 1
    return {
      seq: fact.seq,
      line: fact.line,
      offset: fact.offset,
      bytes: fact.bytes,
      ...(fact.piece !== undefined && { piece: fact.piece }),
      type: fact.type,
      role: fact.role ?? null,
      id: fact.id,
      at: fact.at,
      call: answers ? call : null,
      tool: fact.toolName ?? null,
      preview: fact.preview ?? null,
      problem: fact.problem ?? null,
    }
  })
}
