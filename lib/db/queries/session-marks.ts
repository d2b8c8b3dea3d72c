import { maskSecrets } from '../../core/redaction/secrets'
import type { CompactionRecord } from '../../core/transcript/compaction-record'
import type { Database } from '../client'

/** Compactions and resets of a session, in the order of the file. */
export async function readCompactions(database: Database, sessionRow: number): Promise<CompactionRecord[]> {
  const rows = await database.prisma.compaction.findMany({ where: { sessionRow }, orderBy: { seq: 'asc' } })
  return rows.map((row) => ({
    seq: row.seq,
    at: row.at?.getTime() ?? null,
    kind: row.kind === 'reset' || row.kind === 'provider' ? row.kind : 'compaction',
    afterCall: row.afterCall,
    tokensBefore: row.tokensBefore,
    tokensAfter: row.tokensAfter,
    fromHook: row.fromHook,
    preview: row.preview === null ? null : maskSecrets(row.preview),
  }))
}
