import * as z from 'zod'
import { rowOf, rowsOf } from '../rows'
import type { Search, SearchHit, SearchWrite } from '../search'
import { batchTexts, INSERT_TEXTS } from './insert-texts'
import type { LocalConnection } from './local-connection'

// The row id of an entry in the index: its session's row above, its sequence number in the low 24 bits. Both are
// plain numbers in JavaScript as long as there are fewer than 2^29 sessions.
const ENTRIES_PER_SESSION = 2 ** 24

/** With so many hits of whole words, beginnings of words are not looked for. */
const ENOUGH_HITS = 50
/** So many hits are put into the order of their rank. */
const RANKED_HITS = 1_000
/** Shorter beginnings of words occur everywhere. Letters. */
const SHORTEST_BEGINNING = 3

const META = z.object({ value: z.string() })
const HIT = z.object({ id: z.number(), fit: z.number() })

const SCHEMA = `
CREATE VIRTUAL TABLE IF NOT EXISTS "EntryText" USING fts5(
  text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);
CREATE TABLE IF NOT EXISTS "SearchMeta" ("key" TEXT NOT NULL PRIMARY KEY, "value" TEXT NOT NULL);
`

// Larger parts than the defaults, and so fewer merges: half the time of an import, and a search takes no longer.
const SETTINGS = `
INSERT INTO "EntryText" ("EntryText", rank) VALUES ('crisismerge', 500);
INSERT INTO "EntryText" ("EntryText", rank) VALUES ('hashsize', 4194304);
`
const MERGE_FROM = `INSERT INTO "EntryText" ("EntryText", rank) VALUES ('automerge', ?)`
/** Parts of the index that are merged into one as soon as there are so many; 0: not before the small writes to come. */
const MERGED_PARTS = { afterSmall: 16n, afterLarge: 0n }
/** A write is large from here on: one of many, as they come when whole stores are read. Bytes. */
const LARGE_WRITE = 200_000

/**
 * The words of entries as an FTS5 table in its own SQLite file, with its own write lock. It holds words only,
 * no text; what is found is shown from the entry's row or its source.
 *
 * Written before the rows of the same entries are committed, and again from the same place when that commit did not
 * happen, so it never lacks an entry that the database has. What it may have too many of joins to no row.
 */
export class SearchIndex implements Search {
  readonly #connection: LocalConnection
  /** What this process has set; null before its first write, and for a new index. */
  #mergedParts: bigint | null = null

  constructor(connection: LocalConnection) {
    this.#connection = connection
    connection.script(SCHEMA)
  }

  /** The import that this index belongs to; null for a new one. */
  get token(): string | null {
    const answer = this.#connection.run(`SELECT "value" FROM "SearchMeta" WHERE "key" = 'token'`)
    return rowOf(META, answer)?.value ?? null
  }

  /** Empties the index and says which import it belongs to from now on. */
  async reset(token: string): Promise<void> {
    await this.#connection.write(() => {
      this.#connection.script(`DROP TABLE "EntryText"; ${SCHEMA} ${SETTINGS}`)
      this.#connection.run(`INSERT OR REPLACE INTO "SearchMeta" VALUES ('token', ?)`, [token])
    })
    this.#mergedParts = null
  }

  async write(writes: readonly SearchWrite[]): Promise<void> {
    const inOrder = writes.toSorted((a, b) => a.sessionRow - b.sessionRow)
    const parts = isLarge(writes) ? MERGED_PARTS.afterLarge : MERGED_PARTS.afterSmall
    await this.#connection.write(() => {
      if (parts !== this.#mergedParts) this.#connection.run(MERGE_FROM, [parts])
      // First all that leaves, then all that comes, by row: a step back, or a deletion, ends a part of the index.
      for (const { sessionRow, from } of inOrder) {
        this.#connection.run(
          'DELETE FROM "EntryText" WHERE rowid >= ? AND rowid < ?',
          rangeOf(sessionRow, from),
        )
      }
      const insert = this.#connection.statement(INSERT_TEXTS)
      const coming = inOrder.map(({ sessionRow, texts }) => ({
        rowid: sessionRow * ENTRIES_PER_SESSION + texts.firstSeq,
        texts,
      }))
      for (const batch of batchTexts(coming)) insert(batch)
    })
    this.#mergedParts = parts
  }

  /**
   * Entries in which the words of a query occur. A rare find is ordered by bm25, best first; a frequent one newest
   * session first, with rank 0: to rank it, or only to look up everything that begins with a few letters, takes seconds
   * in a large index, and thousands of hits are not read.
   * @param query what a person typed; see `matchExpressions`
   * @param sessionRow only within this session
   */
  find(query: string, limit: number, sessionRow?: number): readonly SearchHit[] {
    const expressions = matchExpressions(query)
    if (expressions === null) return []
    const { whole, begun } = expressions
    let hits = this.#newest(whole, limit, sessionRow)
    const isRare = hits.length < Math.min(limit, ENOUGH_HITS)
    if (isRare && begun !== null) hits = this.#newest(begun, limit, sessionRow)
    if (hits.length > RANKED_HITS) return hits
    return this.#ranked(isRare && begun !== null ? begun : whole, limit, sessionRow)
  }

  #newest(expression: string, limit: number, sessionRow: number | undefined): readonly SearchHit[] {
    const answer = this.#connection.run(
      'SELECT rowid AS "id", 0 AS "fit" FROM "EntryText" WHERE "EntryText" MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
      [expression, ...rangeOf(sessionRow), limit],
    )
    return rowsOf(HIT, answer).map(hitOf)
  }

  #ranked(expression: string, limit: number, sessionRow: number | undefined): readonly SearchHit[] {
    const answer = this.#connection.run(
      'SELECT rowid AS "id", bm25("EntryText") AS "fit" FROM "EntryText" WHERE "EntryText" MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rank LIMIT ?',
      [expression, ...rangeOf(sessionRow), limit],
    )
    return rowsOf(HIT, answer).map(hitOf)
  }

  close(): void {
    if (this.#connection.open) this.#connection.close()
  }
}

function isLarge(writes: readonly SearchWrite[]): boolean {
  let bytes = 0
  for (const { texts } of writes) bytes += texts.bytes.length
  return bytes >= LARGE_WRITE
}

/**
 * Row ids of one session (from an entry on), or of all: the first, and the one after the last. Whole numbers must reach
 * FTS5 as such: the driver binds plain numbers as floating point, and FTS5 then ignores the bounds and walks through
 * the whole index.
 */
function rangeOf(sessionRow: number | undefined, from = 0): readonly [bigint, bigint] {
  if (sessionRow === undefined) return [0n, BigInt(Number.MAX_SAFE_INTEGER)]
  const base = sessionRow * ENTRIES_PER_SESSION
  return [BigInt(base + from), BigInt(base + ENTRIES_PER_SESSION)]
}

function hitOf({ id, fit }: z.output<typeof HIT>): SearchHit {
  return { sessionRow: Math.floor(id / ENTRIES_PER_SESSION), seq: id % ENTRIES_PER_SESSION, rank: fit }
}

/**
 * What a person typed as FTS5 expressions: every word must occur, and "quoted words" must be together. In `begun`
 * the last word may go on, for it is still being typed; null when it cannot, or is too short to say anything. All else,
 * operators of FTS5 included, is taken as words: no input can be a syntax error. Null when there is no word in it.
 */
export function matchExpressions(
  query: string,
): { readonly whole: string; readonly begun: string | null } | null {
  const terms: string[] = []
  const pieces = query.normalize('NFC').replaceAll('\0', ' ').split('"')
  pieces.forEach((piece, i) => {
    // Every second piece was between quotes, unless the closing one is missing.
    const quoted = i % 2 === 1 && i < pieces.length - 1
    const words = piece.match(/[\p{L}\p{N}\p{Co}\p{M}]+/gu) ?? []
    if (quoted && words.length > 0) terms.push(`"${words.join(' ')}"`)
    else terms.push(...words.map((word) => `"${word}"`))
  })
  if (terms.length === 0) return null
  const whole = terms.join(' ')
  const last = /[\p{L}\p{N}\p{Co}\p{M}]+$/u.exec(query)?.[0] ?? ''
  return { whole, begun: last.length >= SHORTEST_BEGINNING ? `${whole}*` : null }
}
