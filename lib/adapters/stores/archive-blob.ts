import { lineOfColdRecord } from '../../core/transcript/formats/cold-record'
import type { FoundTranscript } from '../../engine/read/ports'
import { SourceProblem } from '../../engine/read/source-problem'
import { MemoryBytes } from '../jsonl/byte-source'
import { entered, type LineOrigin } from '../jsonl/line-origin'
import { ZstdBytes } from '../jsonl/zstd'
import { numberColumn, type SqliteFiles, type SqliteSnapshot } from '../sqlite/read-only'

/** A larger archive is not loaded: it is held several times while it goes from process to process. Bytes. */
const MAX_ARCHIVE = 60 * 1024 * 1024

/** Names of archives in cold storage begin with this in a transcript's path. */
const COLD = 'cold/'

/**
 * Opens a transcript that an agent database keeps as one blob: JSONL, plain or compressed.
 *
 * @param archive what is behind `#` in the transcript's path.
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
      compressed
        ? entered(new ZstdBytes(new MemoryBytes(blob), blob.length), offset)
        : new MemoryBytes(blob, offset),
    unwrap: cold ? lineOfColdRecord : undefined,
  }
}

async function readBlob(
  snapshot: SqliteSnapshot,
  table: string,
  name: string,
  path: string,
): Promise<Uint8Array> {
  const [found] = (await snapshot.columns(table)).has('archive_blob')
    ? await snapshot.all(
        `SELECT octet_length(archive_blob) AS bytes FROM ${table} WHERE archive_name = ?`,
        name,
      )
    : []
  const bytes = numberColumn(found?.bytes)
  if (bytes === null) throw new SourceProblem('missing', path, `${path} is not there (any more).`)
  if (bytes > MAX_ARCHIVE) {
    throw new SourceProblem(
      'unreadable',
      path,
      `${path} has ${bytes} bytes; archives over ${MAX_ARCHIVE} are not read. Let OpenClaw publish it as a file.`,
    )
  }
  const [row] = await snapshot.all(
    `SELECT CAST(archive_blob AS BLOB) AS blob FROM ${table} WHERE archive_name = ?`,
    name,
  )
  return row?.blob instanceof ArrayBuffer ? new Uint8Array(row.blob) : new Uint8Array(0)
}
