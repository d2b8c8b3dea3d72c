import type { LogKind } from '../../core/logs/log-kinds'
import type { BrokenLine } from '../../engine/log-ports'
import type { Database } from '../client'

export type LogFileRow = {
  readonly path: string
  readonly kind: LogKind
  readonly age: number
  readonly records: number
  readonly broken: number
  readonly skippedBytes: number
  readonly problem: string | null
}

export type LogFolderRow = { readonly path: string; readonly found: boolean; readonly problem: string | null }

export type LogPlacesRead = {
  readonly folders: readonly LogFolderRow[]
  readonly files: readonly LogFileRow[]
  /** The first lines that could not be read. */
  readonly broken: readonly BrokenLine[]
}

/** Where logs were looked for, and what was read there. */
export function findLogPlaces(
  { connection }: Pick<Database, 'connection'>,
  brokenLimit: number,
): LogPlacesRead {
  const folders = connection.run(
    'SELECT "path", "found", "problem" FROM "LogFolder" ORDER BY "found" DESC, "path"',
  )
  const files = connection.run(
    'SELECT "path", "kind", "age", "records", "broken", "skippedBytes", "problem" FROM "LogFile" ORDER BY "path", "age"',
  )
  const broken = connection.run(
    `SELECT f."path", b."line", b."problem" FROM "BrokenLogLine" b JOIN "LogFile" f ON f."row" = b."fileRow"
     ORDER BY f."path", b."line" LIMIT ?`,
    [brokenLimit],
  )
  return {
    folders: folders.rows.map(([path, found, problem]) => ({
      path: String(path),
      found: Number(found) === 1,
      problem: problem == null ? null : String(problem),
    })),
    files: files.rows.map(([path, kind, age, records, count, skipped, problem]) => ({
      path: String(path),
      kind: String(kind) as LogKind,
      age: Number(age),
      records: Number(records),
      broken: Number(count),
      skippedBytes: Number(skipped),
      problem: problem == null ? null : String(problem),
    })),
    broken: broken.rows.map(([file, line, problem]) => ({
      file: String(file),
      line: Number(line),
      problem: String(problem),
    })),
  }
}
