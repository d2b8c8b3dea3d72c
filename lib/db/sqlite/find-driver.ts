import { createRequire } from 'node:module'
import { isWholeSqlite, type NodeSqlite, openNodeFile } from './node-file'
import type { OpenDriverFile } from './sqlite-driver'

/** Neither driver is there. Its message says what to do. */
class DriverMissingError extends Error {
  readonly code = 'SQLITE_DRIVER_MISSING'

  constructor() {
    super(
      `Facts in a database need SQLite, which this Node (${process.version}) does not bring: run "npm install libsql", or use Node 22.16 or newer.`,
    )
  }
}

/**
 * Finds what opens SQLite files for an agent that embeds the library: the package libsql where it is installed, as the
 * dashboard uses it, else the SQLite that is part of Node (22.16 or newer). The package is 10 MB, so that the library
 * does not bring it.
 * @throws DriverMissingError
 */
export function findDriver(): OpenDriverFile {
  const libsql = installedLibsql()
  if (libsql !== null) return (path) => new libsql(path)
  const builtIn = builtInSqlite()
  if (builtIn !== null) return (path) => openNodeFile(builtIn, path)
  throw new DriverMissingError()
}

function installedLibsql(): (new (path: string) => ReturnType<OpenDriverFile>) | null {
  try {
    return createRequire(import.meta.url)('libsql')
  } catch (error) {
    // Also where its part for this system was not installed. What is there and does not load is for its owner to know.
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error
    return null
  }
}

function builtInSqlite(): NodeSqlite | null {
  // `process.getBuiltinModule` came with 20.16; its answer for what is missing is undefined.
  const module = process.getBuiltinModule?.('node:sqlite' as 'node:fs') as unknown as NodeSqlite | undefined
  return module !== undefined && isWholeSqlite(module) ? module : null
}
