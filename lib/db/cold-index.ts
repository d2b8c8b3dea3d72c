import { indexWordsOf, wordsOf } from '../core/cold/search-index'
import type {
  ColdCounts,
  ColdIndex,
  ColdScan,
  FileStamp,
  IndexHit,
  IndexQuestion,
  ScannedChunk,
  ScannedFile,
} from '../engine/cold-index'
import type { ColdProblem } from '../engine/cold-store'
import type { ColdFilter } from '../engine/search-cold'
import { insertInto } from './insert-into'
import type { LocalConnection, SqlValue } from './local-connection'

/**
 * The index of cold storage, in an SQLite file of its own: it can be deleted and made again at any time. It holds words and
 * measures; texts are read from their files. Chunks of several roots stand in it side by side. The session of a chunk is a
 * word of its text, too: words that every chunk has are then looked up in the chunks of one session, and in no others.
 */
const VERSION = '4'

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

/** Shorter beginnings of words stand everywhere. Letters. */
const SHORTEST_BEGINNING = 3

/** A word that stands in a larger share of the chunks only finds when rarer words find too little. */
const COMMON_SHARE = 0.1

/** Where nobody knows until when a chunk is kept, it stays. */
const OFFERED = `COALESCE(c."until", ${Number.MAX_SAFE_INTEGER}) >= ?`

/** So many times the chunks that are wanted are held against a filter first. */
const HEADROOM = 8
/** To SQLite, no limit. */
const ALL = -1

export class ColdIndexFile implements ColdIndex {
  readonly #connection: LocalConnection
  readonly #root: string

  constructor(connection: LocalConnection, root: string) {
    this.#connection = connection
    this.#root = root
    prepare(connection)
  }

  folders(): ReadonlyMap<string, string> {
    const { rows } = this.#connection.run('SELECT "name", "stamp" FROM "ColdFolder" WHERE "root" = ?', [
      this.#root,
    ])
    return new Map(rows.map(([name, stamp]) => [String(name), String(stamp)]))
  }

  files(folder: string): ReadonlyMap<string, FileStamp> {
    const { rows } = this.#connection.run(
      'SELECT "path", "size", "mtimeNs" FROM "ColdFile" WHERE "root" = ? AND "folder" = ?',
      [this.#root, folder],
    )
    return new Map(
      rows.map(([path, size, mtimeNs]) => [String(path), { size: Number(size), mtimeNs: String(mtimeNs) }]),
    )
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

  find({ words, filter, now, skip, limit }: IndexQuestion): readonly IndexHit[] {
    const fits = this.#conditions(filter, now)
    if (words === null) {
      const { rows } = this.#connection.run(
        `SELECT f."path", c."line", NULL FROM "ColdChunk" c JOIN "ColdFile" f ON f."id" = c."file"
         WHERE ${fits.sql} ORDER BY c."at" DESC, c."id" DESC LIMIT ? OFFSET ?`,
        [...fits.args, limit, skip],
      )
      return rows.map(hitOf)
    }
    const { rare, all } = this.#expressions(words)
    const within = filter.session === null ? '' : this.#within(filter.session)
    if (all === '' || within === null) return []
    const ranked = (some: string) => this.#ranked(`${within}text : (${some})`, fits, limit, skip)
    const found = rare === '' ? [] : ranked(rare)
    return found.length === limit || rare === all ? found : ranked(all)
  }

  count(filter: ColdFilter, now: number): number {
    const { sql, args } = this.#conditions(filter, now)
    const { rows } = this.#connection.run(`SELECT COUNT(*) FROM "ColdChunk" c WHERE ${sql}`, args)
    return Number(rows[0]?.[0] ?? 0)
  }

  named(chunkId: string): readonly IndexHit[] {
    const { rows } = this.#connection.run(
      `SELECT f."path", c."line", NULL FROM "ColdChunk" c JOIN "ColdFile" f ON f."id" = c."file"
       WHERE c."chunkId" = ? AND c."root" = ? ORDER BY c."at" DESC`,
      [chunkId, this.#root],
    )
    return rows.map(hitOf)
  }

  counts(now: number): ColdCounts {
    const all = this.#connection.run(
      'SELECT COUNT(*), COALESCE(SUM("until" < ?), 0) FROM "ColdChunk" WHERE "root" = ?',
      [now, this.#root],
    )
    const kinds = this.#connection.run(
      'SELECT "kind", COUNT(*) FROM "ColdProblem" WHERE "root" = ? GROUP BY "kind" ORDER BY 2 DESC',
      [this.#root],
    )
    const reasons = this.#connection.run(
      `SELECT "reason", COUNT(*) FROM "ColdChunk" c WHERE "root" = ? AND ${OFFERED} GROUP BY "reason" ORDER BY 2 DESC, 1`,
      [this.#root, now],
    )
    return {
      chunks: Number(all.rows[0]?.[0] ?? 0),
      expired: Number(all.rows[0]?.[1] ?? 0),
      problems: kinds.rows.map(([kind, count]) => ({
        kind: String(kind) as ColdProblem['kind'],
        count: Number(count),
      })),
      reasons: reasons.rows.map(([name, count]) => ({
        name: name === null || name === undefined ? null : String(name),
        count: Number(count),
      })),
    }
  }

  problems(limit: number): readonly ColdProblem[] {
    const { rows } = this.#connection.run(
      `SELECT f."path", p."line", p."kind", p."why" FROM "ColdProblem" p JOIN "ColdFile" f ON f."id" = p."file"
       WHERE p."root" = ? ORDER BY p."kind" = 'archive', f."path", p."line" LIMIT ?`,
      [this.#root, limit],
    )
    return rows.map(([file, line, kind, why]) => ({
      file: String(file),
      line: Number(line),
      kind: String(kind) as ColdProblem['kind'],
      why: String(why),
    }))
  }

  close(): void {
    if (this.#connection.open) this.#connection.close()
  }

  #remove(path: string): void {
    const { rows } = this.#connection.run('SELECT "id" FROM "ColdFile" WHERE "path" = ?', [path])
    const id = rows[0]?.[0]
    if (id === undefined || id === null) return
    const texts = 'DELETE FROM "ColdText" WHERE rowid IN (SELECT "id" FROM "ColdChunk" WHERE "file" = ?)'
    for (const sql of [
      texts,
      'DELETE FROM "ColdChunk" WHERE "file" = ?',
      'DELETE FROM "ColdProblem" WHERE "file" = ?',
      'DELETE FROM "ColdFile" WHERE "id" = ?',
    ])
      this.#connection.run(sql, [id])
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
    this.#connection.run(ADD_TEXT, [id, session, [...indexWordsOf(content)].join(' ')])
  }

  /** What stands for a session in the index of words; null when no chunk was ever of it. */
  #sessionWord(session: string): string | null {
    const [row] = this.#connection.run(FIND_SESSION, [this.#root, session]).rows
    return row === undefined ? null : `s${row[0]}`
  }

  /** The beginning of an expression for chunks of one session; null when there are none. */
  #within(session: string): string | null {
    const word = this.#sessionWord(session)
    return word === null ? null : `session : ${word} AND `
  }

  #lastId(): number {
    return Number(this.#connection.run('SELECT last_insert_rowid()').rows[0]?.[0])
  }

  #conditions(filter: ColdFilter, now: number): { readonly sql: string; readonly args: SqlValue[] } {
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

  /** Every word is quoted, so that nothing somebody types is an operator. */
  #expressions(words: string): { readonly rare: string; readonly all: string } {
    const { rows } = this.#connection.run('SELECT COUNT(*) FROM "ColdChunk"')
    const common = Math.floor(Number(rows[0]?.[0] ?? 0) * COMMON_SHARE)
    const asked = [...new Set(wordsOf(words))]
    const open = /[\p{L}\p{N}]$/u.test(words) ? asked.at(-1) : undefined
    const known = asked.flatMap((word) => {
      const chunks = this.#holders(word, common + 1)
      // No chunk has it, so it may still be being typed.
      if (chunks === 0 && word === open && word.length >= SHORTEST_BEGINNING)
        return [{ quoted: `"${word}"*`, chunks }]
      return chunks === 0 ? [] : [{ quoted: `"${word}"`, chunks }]
    })
    const join = (some: typeof known) => some.map(({ quoted }) => quoted).join(' OR ')
    return { rare: join(known.filter(({ chunks }) => chunks <= common)), all: join(known) }
  }

  /** In how many chunks a word stands, counted up to `most`. */
  #holders(word: string, most: number): number {
    const { rows } = this.#connection.run(
      'SELECT COUNT(*) FROM (SELECT 1 FROM "ColdText" WHERE "ColdText" MATCH ? LIMIT ?)',
      [`text : "${word}"`, most],
    )
    return Number(rows[0]?.[0] ?? 0)
  }

  /**
   * Best first; among equals what was stored last. The filter is held against the best ones, and against all only where too
   * few of these fit.
   */
  #ranked(
    expression: string,
    fits: { readonly sql: string; readonly args: readonly SqlValue[] },
    limit: number,
    skip: number,
  ): readonly IndexHit[] {
    const among = (best: number) =>
      this.#connection.run(
        `SELECT f."path", c."line", t."fit" FROM (
           SELECT rowid AS "id", -bm25("ColdText", 0, 1) AS "fit" FROM "ColdText"
           WHERE "ColdText" MATCH ? ORDER BY "fit" DESC, rowid DESC LIMIT ?) t
         CROSS JOIN "ColdChunk" c ON c."id" = t."id" CROSS JOIN "ColdFile" f ON f."id" = c."file"
         WHERE ${fits.sql} ORDER BY t."fit" DESC, t."id" DESC LIMIT ? OFFSET ?`,
        [expression, best, ...fits.args, limit, skip],
      ).rows
    const rows = among((limit + skip) * HEADROOM)
    return (rows.length === limit ? rows : among(ALL)).map(hitOf)
  }
}

/** Makes the tables; those of another version are thrown away, for everything in them can be read again. */
function prepare(connection: LocalConnection): void {
  connection.script(
    'CREATE TABLE IF NOT EXISTS "ColdMeta" ("key" TEXT NOT NULL PRIMARY KEY, "value" TEXT NOT NULL)',
  )
  const { rows } = connection.run(`SELECT "value" FROM "ColdMeta" WHERE "key" = 'version'`)
  if (rows[0]?.[0] === VERSION) return
  const drops = TABLES.map((name) => `DROP TABLE IF EXISTS "${name}";`).join(' ')
  connection.script(
    `BEGIN IMMEDIATE; ${drops} ${SCHEMA} INSERT INTO "ColdMeta" VALUES ('version', '${VERSION}'); COMMIT;`,
  )
}

function hitOf([file, line, rank]: readonly SqlValue[]): IndexHit {
  return { file: String(file), line: Number(line), rank: rank === null ? null : Number(rank) }
}
