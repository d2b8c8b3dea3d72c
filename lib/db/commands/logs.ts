import * as z from 'zod'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { fileKey, type UnreadLog } from '../../engine/logs/follow-logs'
import type { LogBatch, LogFolder } from '../../engine/logs/log-ports'
import type { LogDatabase } from '../../engine/logs/tail-logs'
import type { Cursor } from '../../engine/read/ports'
import type { Connection } from '../connection'
import { CURSOR } from '../cursor-shape'
import { insertInto } from '../insert-into'
import { figureOf, json, rowOf, rowsOf } from '../rows'

/** Lines of a file that could not be read and are named; all of them are counted. */
const NAMED_BROKEN = 200

const PUT_FILE = `${insertInto('LogFile', 'inode folder path kind age skippedBytes cursorJson revision')}
  ON CONFLICT ("inode") DO UPDATE SET "cursorJson" = excluded."cursorJson", "revision" = excluded."revision"
  RETURNING "row", "broken"`
const ADD_LINE = insertInto('LogLine', 'fileRow line kind at sessionId chunkId recordJson')
const ADD_BROKEN = insertInto('BrokenLogLine', 'fileRow line problem')

const READ = z.object({ cursorJson: json(CURSOR) })
const FILE = z.object({ row: z.number(), broken: z.number() })
const FOLDER = z.object({ path: z.string(), found: z.number(), problem: z.string().nullable() })
const INODE = z.object({ row: z.number(), inode: z.string() })

/** The tail's side of the database: one transaction per call. */
export class LogRows implements LogDatabase {
  readonly #connection: Connection
  #noted = ''

  constructor(connection: Connection) {
    this.#connection = connection
  }

  cursors(): readonly Cursor[] {
    return rowsOf(READ, this.#connection.run('SELECT "cursorJson" FROM "LogFile"')).map(
      ({ cursorJson }) => cursorJson,
    )
  }

  write({ log, after, skippedBytes, records, broken, cursor }: LogBatch): Promise<void> {
    const connection = this.#connection
    return connection.write(() => {
      const inode = fileKey(cursor)
      const folder = log.path.slice(0, Math.max(log.path.lastIndexOf('/'), log.path.lastIndexOf('\\')))
      const file = rowOf(
        FILE,
        connection.run(PUT_FILE, [
          ...[inode, folder, log.path, log.kind, log.age, skippedBytes],
          ...[JSON.stringify(cursor), this.#nextRevision()],
        ]),
      )
      if (file === null) throw new Error(`The database did not take the log ${log.path}`)
      const { row, broken: known } = file
      this.#forget(row, after)
      const addLine = connection.statement(ADD_LINE)
      for (const { record, line } of records) {
        const { kind, at, sessionId, ...rest } = record
        addLine([row, line, kind, at, sessionId, chunkOf(record), compact(rest)])
      }
      for (const { line, problem } of broken.slice(0, Math.max(0, NAMED_BROKEN - known)))
        connection.run(ADD_BROKEN, [row, line, problem])
      connection.run(
        'UPDATE "LogFile" SET "records" = "records" + ?, "broken" = "broken" + ? WHERE "row" = ?',
        [records.length, broken.length, row],
      )
    })
  }

  async note(folders: readonly LogFolder[], unread: readonly UnreadLog[]): Promise<boolean> {
    const now = JSON.stringify([folders, unread])
    if (now === this.#noted) return false
    const connection = this.#connection
    let changed = false
    await connection.write(() => {
      const revision = this.#nextRevision()
      const before = rowsOf(
        FOLDER,
        connection.run('SELECT "path", "found", "problem" FROM "LogFolder" ORDER BY "path"'),
      ).map(({ path, found, problem }) => [path, found, problem])
      const after = folders.map(({ path, found, problem }) => [path, found ? 1 : 0, problem ?? null])
      if (JSON.stringify(before) !== JSON.stringify(after.toSorted())) {
        changed = true
        connection.run('DELETE FROM "LogFolder"')
        for (const values of after) connection.run(insertInto('LogFolder', 'path found problem'), values)
      }
      const there = new Map(folders.flatMap(({ logs }) => logs.map((log) => [fileKey(log), log] as const)))
      for (const { row, inode } of rowsOf(INODE, connection.run('SELECT "row", "inode" FROM "LogFile"'))) {
        const log = there.get(inode)
        if (log === undefined) {
          changed = true
          connection.run('DELETE FROM "LogFile" WHERE "row" = ?', [row])
          continue
        }
        const problem = unread.find(({ file }) => file === log.path)?.problem ?? null
        const { rowsAffected } = connection.run(
          `UPDATE "LogFile" SET "path" = ?1, "age" = ?2, "problem" = ?3, "revision" = ?4
           WHERE "row" = ?5 AND ("path" <> ?1 OR "age" <> ?2 OR "problem" IS NOT ?3)`,
          [log.path, log.age, problem, revision, row],
        )
        changed ||= rowsAffected > 0
      }
      // A file that left takes its revision with it: what is asked for must grow nevertheless.
      if (changed)
        connection.run(`INSERT OR REPLACE INTO "Meta" VALUES ('logs-revision', ?)`, [String(revision)])
    })
    this.#noted = now
    return changed
  }

  /** What was read behind a line belongs to a file that is another one now. */
  #forget(row: number, after: number): void {
    const gone = this.#connection.run('DELETE FROM "LogLine" WHERE "fileRow" = ? AND "line" > ?', [
      row,
      after,
    ])
    const counted = this.#connection.run(
      'SELECT COUNT(*) AS n FROM "BrokenLogLine" WHERE "fileRow" = ? AND "line" > ?',
      [row, after],
    )
    if (gone.rowsAffected === 0 && figureOf(counted) === 0) return
    this.#connection.run('DELETE FROM "BrokenLogLine" WHERE "fileRow" = ? AND "line" > ?', [row, after])
    this.#connection.run(
      `UPDATE "LogFile" SET "skippedBytes" = 0,
         "records" = (SELECT COUNT(*) FROM "LogLine" WHERE "fileRow" = ?1),
         "broken" = (SELECT COUNT(*) FROM "BrokenLogLine" WHERE "fileRow" = ?1)
       WHERE "row" = ?1`,
      [row],
    )
  }

  #nextRevision(): number {
    const newest = this.#connection.run(
      `SELECT MAX(COALESCE((SELECT MAX("revision") FROM "LogFile"), 0),
         COALESCE((SELECT CAST("value" AS INTEGER) FROM "Meta" WHERE "key" = 'logs-revision'), 0)) AS n`,
    )
    return figureOf(newest) + 1
  }
}

function chunkOf(record: AnyLogRecord): string | null {
  return record.kind === 'drops' || record.kind === 'recovery' ? record.chunkId : null
}

/** What is unknown is left out, and an empty rest. */
function compact(record: object): string {
  return JSON.stringify(record, (key, value: unknown) =>
    value === null || (key === 'rest' && Object.keys(value as object).length === 0) ? undefined : value,
  )
}
