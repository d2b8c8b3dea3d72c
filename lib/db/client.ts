import type { Connection } from './connection'
import { databasePath } from './database-url'
import { PrismaClient } from './generated/client'
import { LocalConnection } from './sqlite/local-connection'
import { SharedConnectionAdapter } from './sqlite/prisma-adapter'

/** An open database: Prisma for reading and small writes, the connection below it for bulk writes and search. */
export type Database = {
  readonly url: string
  readonly prisma: PrismaClient
  readonly connection: Connection
  close(): Promise<void>
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
 * It does not create tables; see `open-connection.ts`.
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
