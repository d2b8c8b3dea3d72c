import { PrismaLibSql } from '@prisma/adapter-libsql'
import { toSqlValue } from '../sql-value'
import type { LocalConnection } from './local-connection'

type LibSqlClient = ReturnType<PrismaLibSql['createClient']>
type Statement = { readonly sql: string; readonly args?: readonly unknown[] }

/**
 * The adapter's own client opens a fresh connection after every transaction, without busy timeout, and begins
 * transactions that cannot wait for a lock. This one keeps a single prepared connection.
 */
export class SharedConnectionAdapter extends PrismaLibSql {
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
