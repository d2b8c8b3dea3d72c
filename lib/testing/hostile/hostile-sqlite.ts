import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { AgentDatabaseBuilder } from '../builders/agent-database'

/** What a hostile database must come to: read all the same, or left out with this in its problem. */
export type HostileDatabase = {
  readonly make: (file: string) => void
  readonly problem: RegExp | null
}

const HEADER = '{"type":"session","version":4,"id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}'
const MESSAGE =
  '{"type":"message","id":"e1","parentId":null,"message":{"role":"user","content":"a word in the dark"}}'

/** The tables without STRICT and without keys, where any column may hold anything. */
const LOOSE = `
  CREATE TABLE session_nodes (session_key, current_session_id, entry_json, updated_at);
  CREATE TABLE session_windows (session_id, session_key, transcript_updated_at);
  CREATE TABLE transcript_events (session_id, seq, event_json, event_zstd, event_utf8_bytes);
  CREATE TABLE transcript_rewrite_watermarks (session_id, generation, updated_at);
  PRAGMA user_version = 23;
`
const ROWS = `
  INSERT INTO session_nodes VALUES ('agent:main:main', 's1', '{"sessionId":"s1"}', 1);
  INSERT INTO session_windows VALUES ('s1', 'agent:main:main', 1);
  INSERT INTO transcript_events VALUES ('s1', 0, '${HEADER}', NULL, NULL), ('s1', 1, '${MESSAGE}', NULL, NULL);
`

function write(file: string, sql: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const database = new Database(file)
  database.exec(sql)
  database.close()
}

/** Bytes that are not UTF-8, called a text, in each column that holds numbers. */
const BAD_TEXTS = [
  'session_nodes.updated_at',
  'session_windows.transcript_updated_at',
  'transcript_events.seq',
  'transcript_events.event_zstd',
  'transcript_events.event_utf8_bytes',
  'transcript_rewrite_watermarks.updated_at',
]

function badText(where: string): HostileDatabase {
  const [table = '', column = ''] = where.split('.')
  const rows = `${ROWS} INSERT INTO transcript_rewrite_watermarks VALUES ('s1', 'g', 1);`
  const change = `UPDATE ${table} SET ${column} = CAST(x'fffe' AS TEXT);`
  return { problem: null, make: (file) => write(file, `${LOOSE}${rows}${change}`) }
}

const ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)'

function view(table: string, select: string): HostileDatabase {
  return {
    problem: new RegExp(`${table} in it is a view`),
    make: (file) => write(file, `${LOOSE}DROP TABLE ${table}; CREATE VIEW ${table} AS ${select};`),
  }
}

/** A log, and an index of something else beside it. */
function foreignIndex(file: string): void {
  write(file, `${LOOSE}${ROWS}`)
  // The database says that it has a log.
  const bytes = readFileSync(file)
  bytes.fill(2, 18, 20)
  writeFileSync(file, bytes)
  writeFileSync(`${file}-wal`, randomBytes(100_000))
  writeFileSync(`${file}-shm`, randomBytes(32_768))
}

/** The same without any index. */
function randomLog(file: string): void {
  foreignIndex(file)
  rmSync(`${file}-shm`)
}

/** A log whose database was not copied yet, but for these bytes. */
function logAlone(file: string, begun = ''): void {
  halfCopied(file)
  rmSync(`${file}-shm`)
  writeFileSync(file, begun)
}

/** Database and log of one moment, the index of an earlier one: a copy taken file by file while a gateway wrote. */
function halfCopied(file: string): void {
  const original = join(dirname(file), 'original', 'openclaw-agent.sqlite')
  const database = new AgentDatabaseBuilder(original, { wal: true })
  database.session({ id: 's1', key: 'agent:main:main', rows: [HEADER, MESSAGE], entry: { sessionId: 's1' } })
  copyFileSync(`${original}-shm`, `${file}-shm`)
  database.append(
    's1',
    2,
    Array.from({ length: 200 }, (_, i) => MESSAGE.replace('e1', `later${i}`)),
  )
  database.connection.exec('PRAGMA wal_checkpoint(RESTART)')
  database.append('s1', 202, [MESSAGE.replace('e1', 'last')])
  for (const part of ['', '-wal']) copyFileSync(original + part, file + part)
  database.close()
  rmSync(dirname(original), { recursive: true })
}

const PAGE = 512
const INTERIOR = 0x05
/** Bytes of an interior page's head, of a cell with its pointer, and how many fit. */
const PAGE_HEAD = 12
const CELL = 5
const CELLS = 60

/**
 * A table that is a tree of eighteen levels in which every branch leads to the same page below: twenty pages that hold
 * 60 ** 18 rows. No query over it comes to an end.
 */
function endlessTree(file: string): void {
  write(
    file,
    `PRAGMA page_size = ${PAGE};${LOOSE}${ROWS.replaceAll("'s1', 0", "'s0', 0").replaceAll("'s1', 1", "'s0', 1")}`,
  )
  const database = new Database(file)
  const row = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'transcript_events'")
    .get() as { rootpage: number }
  database.close()
  const bytes = readFileSync(file)
  const root = (row.rootpage - 1) * PAGE
  const leaf = Buffer.from(bytes.subarray(root, root + PAGE))
  const levels = 18
  const first = bytes.length / PAGE + 1
  const pages = Array.from({ length: levels - 1 }, (_, level) => interior(first + level + 1))
  interior(first).copy(bytes, root)
  const whole = Buffer.concat([bytes, ...pages, leaf])
  whole.writeUInt32BE(whole.length / PAGE, 28)
  writeFileSync(file, whole)
}

function interior(below: number): Buffer {
  const page = Buffer.alloc(PAGE)
  page[0] = INTERIOR
  page.writeUInt16BE(CELLS, 3)
  page.writeUInt16BE(PAGE - CELLS * CELL, 5)
  page.writeUInt32BE(below, 8)
  for (let cell = 0; cell < CELLS; cell++) {
    const at = PAGE - (cell + 1) * CELL
    page.writeUInt16BE(at, PAGE_HEAD + cell * 2)
    page.writeUInt32BE(below, at)
    page[at + 4] = 1
  }
  return page
}

/** Databases of an agent, by what is wrong with them. */
export const HOSTILE_DATABASES: { readonly [name: string]: HostileDatabase } = {
  ...Object.fromEntries(BAD_TEXTS.map((where) => [`text that is none in ${where}`, badText(where)])),
  'an endless view for the keys': view(
    'session_nodes',
    `${ENDLESS} SELECT x AS session_key, x AS current_session_id, '{}' AS entry_json, 1 AS updated_at FROM c`,
  ),
  'an endless view for the sessions': view(
    'session_windows',
    `${ENDLESS} SELECT x AS session_id, x AS session_key, 1 AS transcript_updated_at FROM c`,
  ),
  'an endless view for the rows': view(
    'transcript_events',
    `${ENDLESS} SELECT 's1' AS session_id, x AS seq, '{}' AS event_json FROM c`,
  ),
  'a view that makes 900 MB': view(
    'session_nodes',
    "SELECT printf('%.*c', 900000000, 'x') AS session_key, 1 AS current_session_id, '{}' AS entry_json, 1 AS updated_at",
  ),
  'a column that makes 900 MB': {
    problem: /columns that are not stored/,
    make: (file) =>
      write(
        file,
        `${LOOSE}${ROWS}DROP TABLE session_nodes; CREATE TABLE session_nodes (session_key, current_session_id, updated_at,
        entry_json GENERATED ALWAYS AS (printf('%.*c', 900000000, 'x')));
        INSERT INTO session_nodes VALUES ('agent:main:main', 's1', 1);`,
      ),
  },
  'an index of another log': { problem: null, make: foreignIndex },
  'a copy taken while it was written': { problem: null, make: halfCopied },
  'a log of random bytes': { problem: null, make: randomLog },
  'a log whose database is empty': { problem: /half of a copy/, make: (file) => logAlone(file) },
  'a log whose database is one byte': { problem: /half of a copy/, make: (file) => logAlone(file, 'S') },
  'a tree without an end': {
    problem: /more than 2 s of processor time|not answered within 8 s/,
    make: endlessTree,
  },
}
