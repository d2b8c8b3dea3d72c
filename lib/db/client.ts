import { PrismaLibSql } from '@prisma/adapter-libsql'
import { databasePath } from './database-url'
import { PrismaClient } from './generated/client'
import { LocalConnection, type SqlValue } from './local-connection'

/** An open database: Prisma for reading and small writes, the connection below it for bulk writes and search. */
export type Database = {
  readonly url: string
  readonly prisma: PrismaClient
  readonly connection: LocalConnection
  close(): Promise<void>
}

type LibSqlClient = ReturnType<PrismaLibSql['createClient']>
type Statement = { readonly sql: string; readonly args?: readonly unknown[] }

/** The driver ends the process on a value that it does not know, so nothing else may reach it. */
function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value
  }
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array) return value
  throw new TypeError(`SQLite cannot store a value of type ${typeof value}`)
}

/**
 * The adapter's own client opens a fresh connection after every transaction, without busy timeout, and begins
 * transactions that cannot wait for a lock. This one keeps a single prepared connection.
 */
class SharedConnectionAdapter extends PrismaLibSql {
  readonly #connection: LocalConnection

  constructor(url: string, connection: LocalConnection) {
    super({ url }, { timestampFormat: 'unixepoch-ms' })
    this.#connection = connection
  }

  override createClient(): LibSqlClient {
    const connection = this.#connection
    const execute = async ({ sql, args }: Statement) => connection.run(sql, args?.map(toSqlValue))
    const client = {
      execute,
      executeMultiple: async (sql: string) => connection.script(sql),
      transaction: async () => {
        const release = await connection.takeTurn()
        try {
          connection.script('BEGIN IMMEDIATE')
        } catch (error) {
          release()
          throw error
        }
        const end = async (sql: 'COMMIT' | 'ROLLBACK') => {
          try {
            if (connection.inTransaction) connection.script(sql)
          } finally {
            release()
          }
        }
        return { execute, commit: () => end('COMMIT'), rollback: () => end('ROLLBACK') }
      },
      close: () => connection.close(),
    }
    // The adapter uses these four methods of the interface and no others.
    return client as unknown as LibSqlClient
  }
}

// Kept on globalThis because a bundler may hold several copies of this module in one process.
const REGISTRY = Symbol.for('plimsoll.databases')
type Registry = Map<string, Database>

function registry(): Registry {
  const holder = globalThis as { [REGISTRY]?: Registry }
  holder[REGISTRY] ??= new Map()
  return holder[REGISTRY]
}

/**
 * Opens the database at `url` (`file:` and a path), or answers the one that this process has open already.
 * It does not create tables; see `migrate.ts`.
 */
export function openClient(url: string): Database {
  const open = registry().get(url)
  if (open) return open
  const connection = new LocalConnection(databasePath(url))
  const prisma = new PrismaClient({ adapter: new SharedConnectionAdapter(url, connection) })
  const database: Database = {
    url,
    prisma,
    connection,
    close: async () => {
      registry().delete(url)
      await prisma.$disconnect()
      // Prisma connects lazily: without a query it never took the connection, and does not close it.
      if (connection.open) connection.close()
    },
  }
  registry().set(url, database)
  return database
}
