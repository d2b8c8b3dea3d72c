import * as z from 'zod'
import type { EntryFact } from '../../core/transcript/entry'
import type { Database } from '../client'
import { readBlocks } from '../entry-blocks'
import { rowOf } from '../rows'

/** Blocks whose facts are read between two rests: some 10 ms of work. */
const BLOCKS_AT_ONCE = 64

/**
 * What the tree and the context of every call are made from: the facts of a session's entries from `fromSeq` on, in
 * order, without previews (but for labels, which consist of theirs), problems and recorded sizes. 50,000
 * entries take about 0.2 s of work; the consumer may rest between the parts.
 */
export function* readEntryFacts(
  database: Pick<Database, 'connection'>,
  sessionRow: number,
  fromSeq = 0,
): Generator<EntryFact[]> {
  for (let from = fromSeq; ; ) {
    const blocks = readBlocks(database.connection, sessionRow, from, undefined, BLOCKS_AT_ONCE)
    const facts: EntryFact[] = []
    for (const block of blocks) for (const fact of block.facts) if (fact.seq >= from) facts.push(lean(fact))
    const last = facts.at(-1)
    if (last === undefined) return
    yield facts
    if (blocks.length < BLOCKS_AT_ONCE) return
    from = last.seq + 1
  }
}

/** All of one shape: half the room of what the parser makes, and quicker to look into. */
function lean(fact: EntryFact): EntryFact {
  return {
    seq: fact.seq,
    line: fact.line,
    offset: fact.offset,
    bytes: fact.bytes,
    piece: fact.piece,
    type: fact.type,
    rawType: fact.rawType,
    id: fact.id,
    parentId: fact.parentId,
    side: fact.side,
    at: fact.at,
    role: fact.role,
    units: fact.units,
    images: fact.images,
    calls: fact.calls,
    requestId: fact.requestId,
    again: fact.again,
    copied: fact.copied,
    resultFor: fact.resultFor,
    toolName: fact.toolName,
    isError: fact.isError,
    // Which checkpoint a call is sent with depends on its route.
    provider: fact.provider,
    model: fact.model,
    api: fact.api,
    checkpoint: fact.checkpoint,
    stopReason: fact.stopReason,
    usage: fact.usage,
    firstKeptEntryId: fact.firstKeptEntryId,
    firstKeptIndex: fact.firstKeptIndex,
    keptUpTo: fact.keptUpTo,
    keptAfter: fact.keptAfter,
    bare: fact.bare,
    targetId: fact.targetId,
    customType: fact.customType,
    excluded: fact.excluded,
    transcriptOnly: fact.transcriptOnly,
    clientWritten: fact.clientWritten,
    silent: fact.silent,
    blank: fact.blank,
    preview: fact.type === 'label' ? fact.preview : undefined,
    header: fact.header,
  }
}

const REVISION = z.object({ revision: z.number() })

/** The revision of a session as it is now; null when it is gone. */
export function revisionOf({ connection }: Pick<Database, 'connection'>, sessionRow: number): number | null {
  const answer = connection.run('SELECT "revision" FROM "Session" WHERE "row" = ?', [sessionRow])
  return rowOf(REVISION, answer)?.revision ?? null
}

/** Where one entry is and what it is called; null when there is no such entry. */
export function factAt(
  database: Pick<Database, 'connection'>,
  sessionRow: number,
  seq: number,
): Pick<EntryFact, 'offset' | 'bytes' | 'id'> | null {
  for (const block of readBlocks(database.connection, sessionRow, seq, seq)) {
    const fact = block.facts[seq - block.firstSeq]
    if (fact !== undefined) return { offset: fact.offset, bytes: fact.bytes, id: fact.id }
  }
  return null
}
