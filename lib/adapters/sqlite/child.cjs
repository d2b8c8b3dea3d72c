// A process that queries databases of others for the process that started it: what ends, holds up or fills this one
// harms no other process. It is started by `driver-process.ts`, which decides what is asked; plain JavaScript, because
// it is started from sources, bundles and the library alike.
'use strict'

const { constants } = require('node:os')
const { isMainThread, Worker, workerData } = require('node:worker_threads')

/** A question that takes longer ends the process, also when no process is left to wait for it. Milliseconds. */
const LONGEST_QUESTION = 15_000
/**
 * And so does one that takes more of the processor, which the program that asks decides: what is made to have no end
 * would hold a core for as long as it is waited for. Milliseconds.
 */
const MOST_WORK = Number(process.argv[2])
const LOOK_EVERY = 250
/** Says why the process ended; Windows knows no such signal. */
const WORKED_TOO_LONG = 'SIGVTALRM' in constants.signals ? 'SIGVTALRM' : 'SIGKILL'
/** What SQLite may hold, and what one answer may. Bytes, and rows. */
const HEAP_BYTES = 256 * 1024 * 1024
const ANSWER_BYTES = 64 * 1024 * 1024
const ANSWER_ROWS = 500_000

if (isMainThread) serve()
else watch(new Float64Array(workerData.asked), workerData.mostWork)

function serve() {
  const asked = new SharedArrayBuffer(16)
  /** When the question was asked, and how much the process had worked by then; 0: there is none. Milliseconds. */
  const since = new Float64Array(asked)
  new Worker(__filename, { workerData: { asked, mostWork: MOST_WORK }, stdout: false, stderr: false }).unref()
  /** The one that databases are attached to for one look each, and those that hold a copy, by what they hold. */
  let shared = null
  const copies = new Map()
  let current = null

  function connect(name, isCopy) {
    const Database = libsql()
    const driver = new Database(':memory:')
    driver.prepare(`PRAGMA hard_heap_limit = ${HEAP_BYTES}`).all()
    // What a database says of itself is not to be believed: its schema calls no functions, its pages are checked.
    driver.exec('PRAGMA trusted_schema = OFF')
    driver.exec('PRAGMA cell_size_check = ON')
    if (isCopy) {
      driver.exec('PRAGMA locking_mode = EXCLUSIVE')
      driver.exec(`ATTACH '${name}' AS looked_at`)
    }
    return { driver, statements: new Map() }
  }

  function open({ name, copy }) {
    if (copy === null) {
      shared ??= connect(name, false)
      shared.driver.exec(`ATTACH '${name}' AS looked_at`)
      current = { ...shared, isCopy: false }
    } else {
      let known = copies.get(copy)
      if (known === undefined) {
        known = connect(name, true)
        copies.set(copy, known)
      }
      current = { ...known, isCopy: true }
    }
    current.driver.exec('BEGIN')
  }

  function close() {
    const { driver, isCopy } = current
    current = null
    driver.exec('ROLLBACK')
    // Whoever closes the last connection to a log with nothing left in it removes the log, unless somebody else holds a
    // lock. For a copy no other process does, so it stays attached until this process is killed.
    if (!isCopy) driver.exec('DETACH looked_at')
  }

  function all({ sql, values }) {
    const { driver, statements } = current
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = driver.prepare(sql)
      statements.set(sql, statement)
    }
    const rows = []
    let bytes = 0
    for (const row of statement.iterate(...values)) {
      rows.push(row)
      for (const value of Object.values(row)) if (value instanceof ArrayBuffer) bytes += value.byteLength
      if (rows.length > ANSWER_ROWS || bytes > ANSWER_BYTES) throw new TooMuch()
    }
    return rows
  }

  // The schema is a list of statements; nothing of it is worked out by reading it.
  function table({ name }) {
    const found = all({
      sql: `SELECT CAST(type AS BLOB) AS type, typeof(rootpage) = 'integer' AND rootpage > 0 AS stored
            FROM looked_at.sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE LIMIT 2`,
      values: [name],
    })
    const isTable = found.length === 1 && found[0].stored === 1
    if (!isTable) return found
    const sql = "SELECT CAST(name AS BLOB) AS name, hidden FROM pragma_table_xinfo(?, 'looked_at')"
    return [...found, ...all({ sql, values: [name] })]
  }

  const kinds = { open, all, table, close }
  process.on('message', (message) => {
    since[1] = worked()
    since[0] = Date.now()
    try {
      process.send({ id: message.id, rows: kinds[message.kind](message) ?? [] })
    } catch (error) {
      process.send({ id: message.id, error: { code: String(error.code), message: String(error.message) } })
    }
    since[0] = 0
  })
  // Nothing is closed in order: see `close`.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

/** The driver; a package that embeds the library does not always have it. */
function libsql() {
  try {
    return require('libsql')
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND')
      error.message = 'it is a database, and reading it needs the package libsql: run "npm install libsql"'
    throw error
  }
}

class TooMuch extends Error {
  code = 'TOO_MUCH'
  message = `one question has more than ${ANSWER_ROWS} rows or ${ANSWER_BYTES} bytes for an answer`
}

/** Processor time of this process, in milliseconds. */
function worked() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs beside the queries, as nothing else can stop one. */
function watch(since, mostWork) {
  setInterval(() => {
    const [began, before] = since
    if (began === 0) return
    if (Date.now() - began > LONGEST_QUESTION) process.kill(process.pid, 'SIGKILL')
    else if (worked() - before > mostWork) process.kill(process.pid, WORKED_TOO_LONG)
  }, LOOK_EVERY)
}
