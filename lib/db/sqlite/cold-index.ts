import * as z from 'zod'
import { indexWordsOf, wordsOf } from '../../core/cold/search-index'
import { normalWordsOf } from '../../core/relevance/normal-words'
import { isEmptyWord } from '../../core/relevance/question-words'
import { relatedTo } from '../../core/relevance/related-words'
import { isUnspaced } from '../../core/relevance/unspaced'
import type { Milliseconds } from '../../core/units/units'
import type {
  ColdCounts,
  ColdIndex,
  ColdScan,
  FileStamp,
  IndexHit,
  IndexQuestion,
  ScannedChunk,
  ScannedFile,
} from '../../engine/cold/cold-index'
import { type ColdProblem, PROBLEM_KINDS } from '../../engine/cold/cold-store'
import type { ColdFilter } from '../../engine/cold/search-cold'
import { insertInto } from '../insert-into'
import { figureOf, rowOf, rowsOf } from '../rows'
import type { SqlValue } from '../sql-value'
import type { LocalConnection } from './local-connection'

/**
 * The index of cold storage, in its own SQLite file: it can be deleted and made again at any time. It holds words and
 * measures; texts are read from their files. Chunks of several roots are in it side by side. The session of a chunk
 * is a word of its text, too: words that every chunk has are then looked up in the chunks of one session, and in no
 * others.
 */
const VERSION = '6'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS "ColdMeta" ("key" TEXT NOT NULL PRIMARY KEY, "value" TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS "ColdFolder" (
  "root" TEXT NOT NULL, "name" TEXT NOT NULL, "stamp" TEXT NOT NULL, PRIMARY KEY ("root", "name")
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS "ColdFile" (
  "id" INTEGER PRIMARY KEY, "root" TEXT NOT NULL, "folder" TEXT NOT NULL, "path" TEXT NOT NULL UNIQUE,
  "size" INTEGER NOT NULL, "mtimeNs" TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS "ColdFile_folder" ON "ColdFile" ("root", "folder");
CREATE TABLE IF NOT EXISTS "ColdSession" (
  "id" INTEGER PRIMARY KEY, "root" TEXT NOT NULL, "name" TEXT NOT NULL, UNIQUE ("root", "name")
);
CREATE TABLE IF NOT EXISTS "ColdChunk" (
  "id" INTEGER PRIMARY KEY, "file" INTEGER NOT NULL, "root" TEXT NOT NULL, "line" INTEGER NOT NULL,
  "chunkId" TEXT NOT NULL, "sessionId" TEXT NOT NULL, "reason" TEXT, "score" REAL, "at" INTEGER, "until" INTEGER
);
CREATE INDEX IF NOT EXISTS "ColdChunk_file" ON "ColdChunk" ("file");
CREATE INDEX IF NOT EXISTS "ColdChunk_at" ON "ColdChunk" ("root", "at");
CREATE INDEX IF NOT EXISTS "ColdChunk_chunk" ON "ColdChunk" ("chunkId");
CREATE TABLE IF NOT EXISTS "ColdProblem" (
  "file" INTEGER NOT NULL, "root" TEXT NOT NULL, "line" INTEGER NOT NULL, "kind" TEXT NOT NULL, "why" TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS "ColdProblem_file" ON "ColdProblem" ("file");
CREATE VIRTUAL TABLE IF NOT EXISTS "ColdText" USING fts5(
  session, text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
);
`

const TABLES = [
  ...['ColdVocab', 'ColdText', 'ColdProblem', 'ColdChunk', 'ColdSession', 'ColdFile', 'ColdFolder'],
  'ColdMeta',
]

const ADD_FILE = insertInto('ColdFile', 'root folder path size mtimeNs')
const ADD_CHUNK = insertInto('ColdChunk', 'file root line chunkId sessionId reason score at until')
const ADD_PROBLEM = insertInto('ColdProblem', 'file root line kind why')
const ADD_TEXT = 'INSERT INTO "ColdText" (rowid, session, text) VALUES (?, ?, ?)'
const PUT_SESSION = insertInto('ColdSession', 'root name', 'INSERT OR IGNORE')
const FIND_SESSION = 'SELECT "id" FROM "ColdSession" WHERE "root" = ? AND "name" = ?'
const PUT_FOLDER = insertInto('ColdFolder', 'root name stamp', 'INSERT OR REPLACE')

/** Shorter beginnings of words occur everywhere. Letters. */
const SHORTEST_BEGINNING = 3

/** A word that is in a larger share of the chunks only finds when rarer words find too little. */
const COMMON_SHARE = 0.1

/** How many of a few chunks have a word is counted to the end; counting goes on to the share of common words else. */
const LEAST_COUNTED = 1000
/** Words whose counts are remembered while no chunks come or go. */
const MOST_KNOWN = 10_000

/** Without a known end a chunk stays. */
const OFFERED = `COALESCE(c."until", ${Number.MAX_SAFE_INTEGER}) >= ?`

/** So many times the chunks that are wanted are put through a filter first. */
const HEADROOM = 8
/** To SQLite, no limit. */
const ALL = -1

const FOLDER = z.object({ name: z.string(), stamp: z.string() })
const FILE = z.object({ path: z.string(), size: z.number(), mtimeNs: z.string() })
const HIT = z.object({ file: z.string(), line: z.number(), rank: z.number().nullable() })
const COUNTED = z.object({ chunks: z.number(), expired: z.number() })
const KIND = z.object({ kind: z.enum(PROBLEM_KINDS), count: z.number() })
const REASON = z.object({ name: z.string().nullable(), count: z.number() })
const PROBLEM = z.object({
  file: z.string(),
  line: z.number(),
  kind: z.enum(PROBLEM_KINDS),
  why: z.string(),
})
const ID = z.object({ id: z.number() })
const META = z.object({ value: z.string() })

export class ColdIndexFile implements ColdIndex {
  readonly #connection: LocalConnection
  readonly #root: string
  /** How many chunks had words when there were so many. */
  #counted = { texts: 0, holders: new Map<string, number>() }

  constructor(connection: LocalConnection, root: string) {
    this.#connection = connection
    this.#root = root
    prepare(connection)
  }

  folders(): ReadonlyMap<string, string> {
    const sql = 'SELECT "name", "stamp" FROM "ColdFolder" WHERE "root" = ?'
    const rows = rowsOf(FOLDER, this.#connection.run(sql, [this.#root]))
    return new Map(rows.map(({ name, stamp }) => [name, stamp]))
  }

  files(folder: string): ReadonlyMap<string, FileStamp> {
    const answer = this.#connection.run(
      'SELECT "path", "size", "mtimeNs" FROM "ColdFile" WHERE "root" = ? AND "folder" = ?',
      [this.#root, folder],
    )
    return new Map(rowsOf(FILE, answer).map(({ path, ...stamp }) => [path, stamp]))
  }

  write(scans: readonly ColdScan[]): Promise<void> {
    return this.#connection.write(() => {
      for (const { folder, removed, files, stamp } of scans) {
        for (const path of removed) this.#remove(path)
        for (const file of files) this.#put(folder, file)
        if (stamp !== null) this.#connection.run(PUT_FOLDER, [this.#root, folder, stamp])
      }
    })
  }

  find({ words, filter, now, skip, limit, enough }: IndexQuestion): readonly IndexHit[] {
    const fits = this.#conditions(filter, now)
    if (words === null) {
      const answer = this.#connection.run(
        `SELECT f."path" AS "file", c."line", NULL AS "rank" FROM "ColdChunk" c JOIN "ColdFile" f ON f."id" = c."file"
         WHERE ${fits.sql} ORDER BY c."at" DESC, c."id" DESC LIMIT ? OFFSET ?`,
        [...fits.args, limit, skip],
      )
      return rowsOf(HIT, answer)
    }
    const { rare, all } = this.#expressions(words)
    const within = filter.session === null ? '' : this.#within(filter.session)
    if (all === '' || within === null) return []
    const ranked = (some: string) => this.#ranked(`${within}text : (${some})`, fits, limit, skip)
    const found = rare === '' ? [] : ranked(rare)
    return found.length >= Math.min(limit, enough) || rare === all ? found : ranked(all)
  }

  words(): ReturnType<ColdIndex['words']> {
    const texts = this.#size()
    if (texts !== this.#counted.texts) this.#counted = { texts, holders: new Map() }
    const { holders } = this.#counted
    const most = Math.max(LEAST_COUNTED, commonOf(texts))
    const holdersOf = (word: string) => {
      const known = holders.get(word) ?? this.#holders(word, most)
      if (holders.size < MOST_KNOWN) holders.set(word, known)
      return known
    }
    return { texts, holdersOf }
  }

  count(filter: ColdFilter, now: Milliseconds): number {
    const { sql, args } = this.#conditions(filter, now)
    return figureOf(this.#connection.run(`SELECT COUNT(*) AS n FROM "ColdChunk" c WHERE ${sql}`, args))
  }

  named(chunkId: string): readonly IndexHit[] {
    const answer = this.#connection.run(
      `SELECT f."path" AS "file", c."line", NULL AS "rank" FROM "ColdChunk" c JOIN "ColdFile" f ON f."id" = c."file"
       WHERE c."chunkId" = ? AND c."root" = ? ORDER BY c."at" DESC`,
      [chunkId, this.#root],
    )
    return rowsOf(HIT, answer)
  }

  counts(now: Milliseconds): ColdCounts {
    const all = this.#connection.run(
      'SELECT COUNT(*) AS "chunks", COALESCE(SUM("until" < ?), 0) AS "expired" FROM "ColdChunk" WHERE "root" = ?',
      [now, this.#root],
    )
    const kinds = this.#connection.run(
      'SELECT "kind", COUNT(*) AS "count" FROM "ColdProblem" WHERE "root" = ? GROUP BY "kind" ORDER BY 2 DESC',
      [this.#root],
    )
    const reasons = this.#connection.run(
      `SELECT "reason" AS "name", COUNT(*) AS "count" FROM "ColdChunk" c WHERE "root" = ? AND ${OFFERED} GROUP BY "reason" ORDER BY 2 DESC, 1`,
      [this.#root, now],
    )
    return {
      ...(rowOf(COUNTED, all) ?? { chunks: 0, expired: 0 }),
      problems: rowsOf(KIND, kinds),
      reasons: rowsOf(REASON, reasons),
    }
  }

  problems(limit: number): readonly ColdProblem[] {
    const answer = this.#connection.run(
      `SELECT f."path" AS "file", p."line", p."kind", p."why" FROM "ColdProblem" p JOIN "ColdFile" f ON f."id" = p."file"
       WHERE p."root" = ? ORDER BY p."kind" = 'archive', f."path", p."line" LIMIT ?`,
      [this.#root, limit],
    )
    return rowsOf(PROBLEM, answer)
  }

  close(): void {
    if (this.#connection.open) this.#connection.close()
  }

  #remove(path: string): void {
    const found = rowOf(ID, this.#connection.run('SELECT "id" FROM "ColdFile" WHERE "path" = ?', [path]))
    if (found === null) return
    const texts = 'DELETE FROM "ColdText" WHERE rowid IN (SELECT "id" FROM "ColdChunk" WHERE "file" = ?)'
    for (const sql of [
      texts,
      'DELETE FROM "ColdChunk" WHERE "file" = ?',
      'DELETE FROM "ColdProblem" WHERE "file" = ?',
      'DELETE FROM "ColdFile" WHERE "id" = ?',
    ])
      this.#connection.run(sql, [found.id])
  }

  #put(folder: string, { path, size, mtimeNs, chunks, problems }: ScannedFile): void {
    this.#remove(path)
    this.#connection.run(ADD_FILE, [this.#root, folder, path, size, mtimeNs])
    const file = this.#lastId()
    for (const chunk of chunks) this.#putChunk(file, chunk)
    for (const { line, kind, why } of problems)
      this.#connection.run(ADD_PROBLEM, [file, this.#root, line, kind, why])
  }

  #putChunk(file: number, { chunk, line }: ScannedChunk): void {
    const { chunkId, sessionId, reason, score, at, until, content } = chunk
    const values = [file, this.#root, line, chunkId, sessionId, reason, score, at, until]
    this.#connection.run(ADD_CHUNK, values)
    const id = this.#lastId()
    this.#connection.run(PUT_SESSION, [this.#root, sessionId])
    const session = this.#sessionWord(sessionId)
    this.#connection.run(ADD_TEXT, [id, session, foundBy(content)])
  }

  /** What replaces a session in the index of words; null when no chunk was ever of it. */
  #sessionWord(session: string): string | null {
    const found = rowOf(ID, this.#connection.run(FIND_SESSION, [this.#root, session]))
    return found === null ? null : `s${found.id}`
  }

  /** The beginning of an expression for chunks of one session; null when there are none. */
  #within(session: string): string | null {
    const word = this.#sessionWord(session)
    return word === null ? null : `session : ${word} AND `
  }

  #lastId(): number {
    return figureOf(this.#connection.run('SELECT last_insert_rowid() AS n'))
  }

  #conditions(filter: ColdFilter, now: Milliseconds): { readonly sql: string; readonly args: SqlValue[] } {
    const { session, reason, minScore, maxScore, since, until, expired } = filter
    const parts: [string, SqlValue][] = [['c."root" = ?', this.#root]]
    if (expired !== true) parts.push([expired === 'only' ? 'c."until" < ?' : OFFERED, now])
    if (session !== null) parts.push(['c."sessionId" = ?', session])
    if (reason !== null) parts.push(['c."reason" = ?', reason])
    if (minScore !== null) parts.push(['c."score" >= ?', minScore])
    if (maxScore !== null) parts.push(['c."score" <= ?', maxScore])
    if (since !== null) parts.push(['c."at" >= ?', since])
    if (until !== null) parts.push(['c."at" <= ?', until])
    return { sql: parts.map(([sql]) => sql).join(' AND '), args: parts.map(([, value]) => value) }
  }

  /** Every word is quoted, so that nothing typed is an operator. */
  #expressions(words: string): { readonly rare: string; readonly all: string } {
    const common = commonOf(this.#size())
    const typed = [...new Set(wordsOf(words))]
    const open = /[\p{L}\p{N}]$/u.test(words) ? typed.at(-1) : undefined
    const asked = new Set([...typed, ...this.#alike(words)])
    const known = [...asked].flatMap((word) => {
      const chunks = this.#holders(word, common + 1)
      // No chunk has it, so it may still be being typed.
      if (chunks === 0 && word === open && word.length >= SHORTEST_BEGINNING)
        return [{ quoted: `"${word}"*`, chunks }]
      return chunks === 0 ? [] : [{ quoted: `"${word}"`, chunks }]
    })
    const join = (some: typeof known) => some.map(({ quoted }) => quoted).join(' OR ')
    return { rare: join(known.filter(({ chunks }) => chunks <= common)), all: join(known) }
  }

  /** The words of a question in normal form, and for those that no chunk has, what people say in their place. */
  #alike(words: string): string[] {
    return normalWordsOf(words)
      .filter((word) => !isEmptyWord(word) && !isUnspaced(word))
      .flatMap((word) => (this.#holders(word, 1) > 0 ? [word] : relatedTo(word)))
  }

  #size(): number {
    return figureOf(this.#connection.run('SELECT COUNT(*) AS n FROM "ColdChunk"'))
  }

  /** In how many chunks a word is, counted up to `most`. */
  #holders(word: string, most: number): number {
    const answer = this.#connection.run(
      'SELECT COUNT(*) AS n FROM (SELECT 1 FROM "ColdText" WHERE "ColdText" MATCH ? LIMIT ?)',
      [`text : "${word}"`, most],
    )
    return figureOf(answer)
  }

  /**
   * Best first; among equals what was stored last. The filter is put to the best ones, and to all only where
   * too few of these fit.
   */
  #ranked(
    expression: string,
    fits: { readonly sql: string; readonly args: readonly SqlValue[] },
    limit: number,
    skip: number,
  ): readonly IndexHit[] {
    const among = (best: number) =>
      rowsOf(
        HIT,
        this.#connection.run(
          `SELECT f."path" AS "file", c."line", t."fit" AS "rank" FROM (
           SELECT rowid AS "id", -bm25("ColdText", 0, 1) AS "fit" FROM "ColdText"
           WHERE "ColdText" MATCH ? ORDER BY "fit" DESC, rowid DESC LIMIT ?) t
         CROSS JOIN "ColdChunk" c ON c."id" = t."id" CROSS JOIN "ColdFile" f ON f."id" = c."file"
         WHERE ${fits.sql} ORDER BY t."fit" DESC, t."id" DESC LIMIT ? OFFSET ?`,
          [expression, best, ...fits.args, limit, skip],
        ),
      )
    const hits = among((limit + skip) * HEADROOM)
    return hits.length === limit ? hits : among(ALL)
  }
}

/** Of so many chunks, a word that is in more than these is common. */
function commonOf(chunks: number): number {
  return Math.floor(chunks * COMMON_SHARE)
}

/** What a text is found by: its words as they are, and where it differs, their normal form. */
function foundBy(content: string): string {
  const words = [...indexWordsOf(content)]
  const there = new Set(words)
  return [...words, ...normalWordsOf(content).filter((word) => !there.has(word))].join(' ')
}

/** Makes the tables; those of another version are thrown away, for everything in them can be read again. */
function prepare(connection: LocalConnection): void {
  connection.script(
    'CREATE TABLE IF NOT EXISTS "ColdMeta" ("key" TEXT NOT NULL PRIMARY KEY, "value" TEXT NOT NULL)',
  )
  const answer = connection.run(`SELECT "value" FROM "ColdMeta" WHERE "key" = 'version'`)
  if (rowOf(META, answer)?.value === VERSION) return
  const drops = TABLES.map((name) => `DROP TABLE IF EXISTS "${name}";`).join(' ')
  connection.script(
    `BEGIN IMMEDIATE; ${drops} ${SCHEMA} INSERT INTO "ColdMeta" VALUES ('version', '${VERSION}'); COMMIT;`,
  )
}
