import * as z from 'zod'
import { LOG_KINDS, type LogKind } from '../../core/logs/log-kinds'
import type { Bytes } from '../../core/units/units'
import type { BrokenLine } from '../../engine/logs/log-ports'
import type { Database } from '../client'
import { FLAG, rowsOf } from '../rows'

type LogFileRow = {
  readonly path: string
  readonly kind: LogKind
  readonly age: number
  readonly records: number
  readonly broken: number
  readonly skippedBytes: Bytes
  readonly problem: string | null
}

type LogFolderRow = { readonly path: string; readonly found: boolean; readonly problem: string | null }

export type LogPlacesRead = {
  readonly folders: readonly LogFolderRow[]
  readonly files: readonly LogFileRow[]
  /** The first lines that could not be read. */
  readonly broken: readonly BrokenLine[]
}

const FOLDER = z.object({ path: z.string(), found: FLAG, problem: z.string().nullable() })
const FILE = z.object({
  path: z.string(),
  kind: z.enum(LOG_KINDS),
  age: z.number(),
  records: z.number(),
  broken: z.number(),
  skippedBytes: z.number(),
  problem: z.string().nullable(),
})
const BROKEN = z.object({ file: z.string(), line: z.number(), problem: z.string() })

/** Where logs were searched for, and what was read there. */
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
    `SELECT f."path" AS "file", b."line", b."problem" FROM "BrokenLogLine" b JOIN "LogFile" f ON f."row" = b."fileRow"
     ORDER BY f."path", b."line" LIMIT ?`,
    [brokenLimit],
  )
  return {
    folders: rowsOf(FOLDER, folders),
    files: rowsOf(FILE, files),
    broken: rowsOf(BROKEN, broken),
  }
}
