import type { FoldSnapshot } from '../../core/transcript/fold'
import type {
  Checkpoint,
  IngestDatabase,
  KnownSession,
  SessionMove,
  SessionPart,
  WholeStore,
  WriteResult,
} from '../../engine/ingest-ports'
import type { Cursor, FoundStore, FoundTranscript, SeenStore, StoreState } from '../../engine/ports'
import { insertInto } from '../insert-into'
import type { LocalConnection, SqlValue } from '../local-connection'
import type { SearchSink } from '../search'
import { type PackedRows, packPart } from './pack-part'
import { type Columns, listedColumns } from './session-columns'
import { writePart } from './write-part'

/** The import's side of the database: bulk writes in SQLite's own way, one transaction per call. */
export class SqliteIngest implements IngestDatabase<PackedRows> {
  readonly #connection: LocalConnection
  readonly #search: SearchSink | null

  /** @param search null leaves full-text search out */
  constructor(connection: LocalConnection, search: SearchSink | null) {
    this.#connection = connection
    this.#search = search
  }

  async seenStores(): Promise<ReadonlyMap<string, SeenStore>> {
    const { rows } = this.#connection.run('SELECT "id", "label", "state", "problem", "glance" FROM "Store"')
    return new Map(
      rows.map(([id, label, state, problem, glance]) => [
        String(id),
        {
          label: String(label),
          state: state as StoreState,
          problem: problem == null ? null : String(problem),
          glance: readWhole(glance)?.glance ?? null,
        },
      ]),
    )
  }

  async lastGlance(storeId: string): Promise<WholeStore | null> {
    const { rows } = this.#connection.run('SELECT "glance" FROM "Store" WHERE "id" = ?', [storeId])
    return readWhole(rows[0]?.[0])
  }

  async known(storeId: string): Promise<readonly KnownSession[]> {
    // One text for all rows: handing over ten thousand rows one by one costs ten times as much.
    const { rows } = this.#connection.run(
      `SELECT json_group_array("id"), json_group_array("stamp"), json_group_array("state" = 'gone') FROM "Session" WHERE "storeId" = ?`,
      [storeId],
    )
    const [ids, stamps, gone] = (rows[0] ?? []).map(
      (text) => JSON.parse(String(text)) as (string | number | null)[],
    )
    return (ids ?? []).map((id, i) => ({
      id: String(id),
      stamp: (stamps?.[i] ?? null) as string | null,
      gone: gone?.[i] === 1,
    }))
  }

  async register(transcripts: readonly FoundTranscript[]): Promise<WriteResult> {
    return this.#connection.write(() => {
      const revision = this.#nextRevision()
      let rows = 1
      for (const transcript of transcripts) {
        const columns: Record<string, SqlValue> = {
          id: transcript.id,
          ...listedColumns(transcript),
          updatedAt: Math.round(transcript.index?.updatedAt ?? transcript.stamp.mtimeMs),
          revision,
        }
        const names = Object.keys(columns)
        rows += this.#connection.run(
          `${insertInto('Session', names.join(' '))} ON CONFLICT ("id") DO NOTHING`,
          Object.values(columns),
        ).rowsAffected
      }
      return { revision, rows }
    })
  }

  async move(moves: readonly SessionMove[]): Promise<readonly SessionMove[]> {
    if (moves.length === 0) return []
    return this.#connection.write(() =>
      moves.filter(({ fromId, transcript }) => {
        const columns: Columns = { id: transcript.id, ...listedColumns(transcript), stamp: null }
        const sets = Object.keys(columns).map((name) => `"${name}" = ?`)
        const { rowsAffected } = this.#connection.run(
          `UPDATE "Session" SET ${sets.join(', ')} WHERE "id" = ? AND "sessionId" = ?`,
          [...Object.values(columns), fromId, transcript.sessionId],
        )
        return rowsAffected > 0
      }),
    )
  }

  async checkpoint(transcriptId: string): Promise<Checkpoint> {
    const { rows } = this.#connection.run(
      'SELECT "cursorJson", "foldJson", "problem" FROM "Session" WHERE "id" = ?',
      [transcriptId],
    )
    const [cursorJson, foldJson, problem] = rows[0] ?? []
    const saved =
      foldJson == null ? null : (JSON.parse(String(foldJson)) as { setup: string; fold: FoldSnapshot })
    return {
      cursor: cursorJson == null ? null : (JSON.parse(String(cursorJson)) as Cursor),
      fold: saved?.fold ?? null,
      setupKey: saved?.setup ?? null,
      problem: problem == null ? null : String(problem),
    }
  }

  get wantsTexts(): boolean {
    return this.#search !== null
  }

  pack(part: SessionPart): PackedRows {
    return packPart(part, this.wantsTexts)
  }

  async write(parts: readonly PackedRows[]): Promise<WriteResult> {
    const rowOf = new Map(parts.map(({ transcript }) => [transcript.id, this.#rowOf(transcript.id)]))
    await this.#search?.write(
      parts.flatMap(({ transcript, searchable }) =>
        searchable === null ? [] : { sessionRow: rowOf.get(transcript.id) ?? 0, ...searchable },
      ),
    )
    return this.#connection.write(() => {
      const revision = this.#nextRevision()
      let rows = 1
      for (const part of parts)
        rows += writePart(this.#connection, part, rowOf.get(part.transcript.id) ?? 0, revision)
      return { revision, rows }
    })
  }

  async markGone(storeId: string, transcriptIds: readonly string[]): Promise<WriteResult> {
    return this.#connection.write(() => {
      const revision = this.#nextRevision()
      const ids = JSON.stringify(transcriptIds)
      const among = `"storeId" = ? AND "id" IN (SELECT value FROM json_each(?))`
      // Nothing was ever read of these: there is nothing to keep.
      const empty = this.#connection.run(`DELETE FROM "Session" WHERE ${among} AND "cursorJson" IS NULL`, [
        storeId,
        ids,
      ])
      const flagged = this.#connection.run(
        `UPDATE "Session" SET "state" = 'gone', "stamp" = NULL, "revision" = ? WHERE ${among} AND "state" <> 'gone'`,
        [revision, storeId, ids],
      )
      return { revision, rows: 1 + empty.rowsAffected + flagged.rowsAffected }
    })
  }

  async saveStores(stores: readonly FoundStore[], at: number, all: boolean): Promise<void> {
    await this.#connection.write(() => {
      for (const { id, kind, era, root, label, state, problem } of stores) {
        this.#connection.run(
          `INSERT INTO "Store" ("id", "kind", "era", "root", "label", "state", "problem", "firstSeenAt") VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT ("id") DO UPDATE SET "root" = excluded."root", "label" = excluded."label", "state" = excluded."state", "problem" = excluded."problem"
           WHERE "root" <> excluded."root" OR "label" <> excluded."label" OR "state" <> excluded."state" OR "problem" IS NOT excluded."problem"`,
          [id, kind, era, root, label, state, problem ?? null, at],
        )
      }
      if (!all) return
      this.#connection.run(
        `UPDATE "Store" SET "state" = 'missing', "problem" = 'It is not among the stores that were found or configured at the last look.'
         WHERE "state" <> 'missing' AND "id" NOT IN (SELECT value FROM json_each(?))`,
        [JSON.stringify(stores.map(({ id }) => id))],
      )
    })
  }

  async saveStoreRead(
    storeId: string,
    at: number,
    problem: string | null,
    whole: WholeStore | null,
  ): Promise<void> {
    await this.#connection.write(() => {
      this.#connection.run(
        `UPDATE "Store" SET "lastReadAt" = ?, "glance" = ?, "problem" = coalesce(?, "problem"), "state" = iif(? IS NULL, "state", 'unreadable') WHERE "id" = ?`,
        [at, whole && `${whole.sessions} ${whole.glance}`, problem, problem, storeId],
      )
    })
  }

  #rowOf(transcriptId: string): number {
    const { rows } = this.#connection.run('SELECT "row" FROM "Session" WHERE "id" = ?', [transcriptId])
    const row = rows[0]?.[0]
    if (typeof row !== 'number')
      throw new Error(`Session ${transcriptId} was not registered before its import`)
    return row
  }

  #nextRevision(): number {
    const { rows } = this.#connection.run(
      `INSERT INTO "Meta" VALUES ('revision', '1') ON CONFLICT ("key") DO UPDATE SET "value" = CAST(CAST("value" AS INTEGER) + 1 AS TEXT) RETURNING "value"`,
    )
    return Number(rows[0]?.[0])
  }
}

// Beside the glance stands how many sessions there were: counting those that have not gone takes longer than the glance.
function readWhole(saved: SqlValue | undefined): WholeStore | null {
  const [sessions, glance] = String(saved ?? '').split(' ')
  return glance === undefined ? null : { glance, sessions: Number(sessions) }
}
