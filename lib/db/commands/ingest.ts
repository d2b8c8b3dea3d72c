import * as z from 'zod'
import { NO_PRICES, type OwnPrices } from '../../core/tokens/own-prices'
import type { FoldSnapshot } from '../../core/transcript/fold/fold-step'
import type { SavedSigns } from '../../engine/ingest/growing-sessions'
import type {
  ImportCursor,
  ImportWriteResult,
  IngestDatabase,
  KnownSession,
  SessionMove,
  SessionPart,
  WholeStore,
} from '../../engine/ingest/ingest-ports'
import type { FoundStore, FoundTranscript, SeenStore } from '../../engine/read/ports'
import type { Connection } from '../connection'
import { CURSOR } from '../cursor-shape'
import { insertInto } from '../insert-into'
import { figureOf, json, rowOf, rowsOf } from '../rows'
import type { SearchSink } from '../search'
import type { SqlValue } from '../sql-value'
import { STORE_STATE } from '../store-state'
import { type PackedRows, packPart } from './pack-part'
import { type Columns, listedColumns } from './session-columns'
import { writePart } from './write-part'

const SEEN = z.object({
  id: z.string(),
  label: z.string(),
  state: STORE_STATE,
  problem: z.string().nullable(),
  fingerprint: z.string().nullable(),
})
const FINGERPRINT = z.object({ fingerprint: z.string().nullable() })
const KNOWN = z.object({
  ids: json(z.array(z.string())),
  stamps: json(z.array(z.string().nullable())),
  gone: json(z.array(z.number())),
})
/** Of the snapshot only that there is one: `setup` says which version of the fold made it. */
const SAVED = z.object({ setup: z.string(), fold: z.custom<FoldSnapshot>(isObject) })
const CHECKPOINT = z.object({
  cursorJson: json(CURSOR).nullable(),
  foldJson: json(SAVED).nullable(),
  problem: z.string().nullable(),
})
const SIGNS = z.object({ signsJson: json(z.custom<SavedSigns>(isObject)) })
const ROW = z.object({ row: z.number() })

/** The import's side of the database: bulk writes in SQLite's own way, one transaction per call. */
export class IngestRows implements IngestDatabase<PackedRows> {
  readonly #connection: Connection
  readonly #search: SearchSink | null
  readonly #prices: OwnPrices

  /**
   * @param search null leaves full-text search out
   * @param prices the operator's own, above those of the list
   */
  constructor(connection: Connection, search: SearchSink | null, prices: OwnPrices = NO_PRICES) {
    this.#connection = connection
    this.#search = search
    this.#prices = prices
  }

  async seenStores(): Promise<ReadonlyMap<string, SeenStore>> {
    const answer = this.#connection.run(
      'SELECT "id", "label", "state", "problem", "glance" AS "fingerprint" FROM "Store"',
    )
    return new Map(
      rowsOf(SEEN, answer).map(({ id, fingerprint, ...store }) => [
        id,
        { ...store, fingerprint: readWhole(fingerprint)?.fingerprint ?? null },
      ]),
    )
  }

  async lastFingerprint(storeId: string): Promise<WholeStore | null> {
    const answer = this.#connection.run('SELECT "glance" AS "fingerprint" FROM "Store" WHERE "id" = ?', [
      storeId,
    ])
    return readWhole(rowOf(FINGERPRINT, answer)?.fingerprint ?? null)
  }

  async known(storeId: string): Promise<readonly KnownSession[]> {
    // One text for all rows: handing over ten thousand rows one by one costs ten times as much.
    const answer = this.#connection.run(
      `SELECT json_group_array("id") AS "ids", json_group_array("stamp") AS "stamps",
         json_group_array("state" = 'gone') AS "gone" FROM "Session" WHERE "storeId" = ?`,
      [storeId],
    )
    const { ids, stamps, gone } = rowOf(KNOWN, answer) ?? { ids: [], stamps: [], gone: [] }
    return ids.map((id, i) => ({ id, stamp: stamps[i] ?? null, gone: gone[i] === 1 }))
  }

  async register(transcripts: readonly FoundTranscript[]): Promise<ImportWriteResult> {
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

  async checkpoint(transcriptId: string): Promise<ImportCursor> {
    const answer = this.#connection.run(
      'SELECT "cursorJson", "foldJson", "problem" FROM "Session" WHERE "id" = ?',
      [transcriptId],
    )
    const saved = rowOf(CHECKPOINT, answer)
    return {
      cursor: saved?.cursorJson ?? null,
      fold: saved?.foldJson?.fold ?? null,
      setupKey: saved?.foldJson?.setup ?? null,
      readSigns: () => this.#readSigns(transcriptId),
      problem: saved?.problem ?? null,
    }
  }

  get wantsTexts(): boolean {
    return this.#search !== null
  }

  pack(part: SessionPart): PackedRows {
    return packPart(part, this.wantsTexts, this.#prices)
  }

  saveSigns(transcriptId: string, signsJson: string): void {
    this.#connection.run(
      'INSERT OR REPLACE INTO "SessionSigns" ("sessionRow", "signsJson") SELECT "row", ? FROM "Session" WHERE "id" = ?',
      [signsJson, transcriptId],
    )
  }

  async write(parts: readonly PackedRows[]): Promise<ImportWriteResult> {
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

  async markGone(storeId: string, transcriptIds: readonly string[]): Promise<ImportWriteResult> {
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
        [at, whole && `${whole.sessions} ${whole.fingerprint}`, problem, problem, storeId],
      )
    })
  }

  #readSigns(transcriptId: string): SavedSigns | null {
    const answer = this.#connection.run(
      'SELECT "signsJson" FROM "SessionSigns" WHERE "sessionRow" = (SELECT "row" FROM "Session" WHERE "id" = ?)',
      [transcriptId],
    )
    return rowOf(SIGNS, answer)?.signsJson ?? null
  }

  #rowOf(transcriptId: string): number {
    const answer = this.#connection.run('SELECT "row" FROM "Session" WHERE "id" = ?', [transcriptId])
    const found = rowOf(ROW, answer)
    if (found === null) throw new Error(`Session ${transcriptId} was not registered before its import`)
    return found.row
  }

  #nextRevision(): number {
    const answer = this.#connection.run(
      `INSERT INTO "Meta" VALUES ('revision', '1') ON CONFLICT ("key") DO UPDATE SET "value" = CAST(CAST("value" AS INTEGER) + 1 AS TEXT) RETURNING CAST("value" AS INTEGER) AS n`,
    )
    return figureOf(answer)
  }
}

// Beside the fingerprint is how many sessions there were: counting those that have not gone takes longer than it.
function readWhole(saved: string | null): WholeStore | null {
  const [sessions, fingerprint] = (saved ?? '').split(' ')
  return fingerprint === undefined ? null : { fingerprint, sessions: Number(sessions) }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
