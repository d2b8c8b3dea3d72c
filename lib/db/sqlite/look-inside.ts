/** Queries on one moment of a database, made from outside: nothing is written into it or beside it. */
type Snapshot = {
  all(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Names of a table's columns; empty when there is no such table. */
  columns(table: string): Promise<ReadonlySet<string>>
}

export type DatabaseCounts = { readonly stores: number; readonly sessions: number; readonly entries: number }

/** Migrations that our database has, and how much it holds. It may be of any version, or lack every table. */
export async function lookInside(
  snapshot: Snapshot,
): Promise<{ readonly applied: readonly string[]; readonly counts: DatabaseCounts }> {
  const names = (await snapshot.columns('_prisma_migrations')).has('migration_name')
    ? await snapshot.all(
        'SELECT CAST(migration_name AS BLOB) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
      )
    : []
  const figure = async (table: string, sql: string) =>
    (await snapshot.columns(table)).size === 0 ? 0 : Number((await snapshot.all(sql))[0]?.n ?? 0)
  return {
    applied: names.map(({ name }) =>
      name instanceof ArrayBuffer ? Buffer.from(name).toString() : String(name),
    ),
    counts: {
      stores: await figure('Store', 'SELECT count(*) AS n FROM "Store"'),
      sessions: await figure('Session', 'SELECT count(*) AS n FROM "Session"'),
      entries: await figure('Session', 'SELECT total("entries") AS n FROM "Session"'),
    },
  }
}
