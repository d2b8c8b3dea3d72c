import { lineOfColdRecord } from '../../core/transcript/formats/cold-record'
import type { FoundTranscript } from '../../engine/ports'
import { SourceProblem } from '../../engine/source-problem'
import { MemoryBytes } from '../byte-source'
import { entered, type LineOrigin } from '../line-origin'
import { numberOf, type SqliteFiles, type SqliteSnapshot } from '../sqlite-read-only'
import { ZstdBytes } from '../zstd'

/** A larger archive is not loaded. Bytes. */
const MAX_ARCHIVE = 512 * 1024 * 1024

/** Names of archives in cold storage begin with this in a transcript's path. */
export const COLD = 'cold/'

/**
 * Opens a transcript that an agent database keeps as one blob: JSONL, plain or compressed.
 *
 * @param archive what stands behind `#` in the transcript's path.
 * @throws SourceProblem
 */
export async function openArchive(
  sqlite: SqliteFiles,
  { path, stamp }: FoundTranscript,
  database: string,
  archive: string,
): Promise<LineOrigin> {
  const cold = archive.startsWith(COLD)
  const table = cold ? 'session_transcript_cold_archives' : 'session_transcript_archives'
  const name = cold ? archive.slice(COLD.length) : archive
  const blob = await sqlite.read(database, (snapshot) => readBlob(snapshot, table, name, path))
  const compressed = blob[0] === 0x28 && blob[1] === 0xb5 && blob[2] === 0x2f && blob[3] === 0xfd
  return {
    path,
    stamp,
    length: compressed ? null : blob.length,
    bytesFrom: (offset) =>
      compressed ? entered(new ZstdBytes(new MemoryBytes(blob)), offset) : new MemoryBytes(blob, offset),
    unwrap: cold ? lineOfColdRecord : undefined,
  }
}

function readBlob(snapshot: SqliteSnapshot, table: string, name: string, path: string): Uint8Array {
  const [found] = snapshot.columns(table).has('archive_blob')
    ? snapshot.all(`SELECT octet_length(archive_blob) AS bytes FROM ${table} WHERE archive_name = ?`, name)
    : []
  const bytes = numberOf(found?.bytes)
  if (bytes === null) throw new SourceProblem('missing', path, `${path} is not there (any more).`)
  if (bytes > MAX_ARCHIVE) {
    throw new SourceProblem(
      'unreadable',
      path,
      `${path} has ${bytes} bytes; archives over ${MAX_ARCHIVE} are not read. Let OpenClaw publish it as a file.`,
    )
  }
  const [row] = snapshot.all(`SELECT archive_blob AS blob FROM ${table} WHERE archive_name = ?`, name)
  return row?.blob instanceof ArrayBuffer ? new Uint8Array(row.blob) : new Uint8Array(0)
}
