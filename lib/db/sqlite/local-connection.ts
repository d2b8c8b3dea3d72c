import SqliteFile from 'libsql'
import { SqliteConnection } from './sqlite-connection'
import type { DriverFile } from './sqlite-driver'
import type { WriteGate } from './write-gate'

/** A connection of the project's own programs, which bring libsql. */
export class LocalConnection extends SqliteConnection {
  /**
   * @param path file name, `:memory:`, or an SQLite URI (`file:…?mode=ro`)
   * @param gate for threads that write into one file in turns
   */
  constructor(path: string, gate: WriteGate | null = null) {
    super((name) => new SqliteFile(name) as DriverFile, path, gate)
  }
}
