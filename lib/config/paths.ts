import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFullStop } from '../core/words/full-stop'
import { reasonOf } from '../core/words/reason-of'

/** Name of the database file in the state folder. */
export const DATABASE_FILE = 'plimsoll.db'

/** A folder that cannot be made or used. */
export class StateFolderError extends Error {
  readonly code = 'STATE_FOLDER'
}

/**
 * Makes the state folder, readable by its owner alone: it will hold backups of transcripts. A folder that others can
 * read is closed to them, as ssh does with its keys.
 */
export function ensureStateFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const mode = statSync(folder).mode & 0o777
    if (mode & 0o077) chmodSync(folder, 0o700)
    return folder
  } catch (error) {
    const why = reasonOf(error)
    throw new StateFolderError(
      `The state folder ${folder} cannot be used: ${withFullStop(why)} Name another one with PLIMSOLL_HOME.`,
    )
  }
}

/** The folder of the package: where `package.json` and `prisma/migrations` are, from a checkout as from a bundle. */
function packageFolder(): string {
  for (const start of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      if (existsSync(join(folder, 'prisma', 'migrations', 'sqlite'))) return folder
      if (folder === dirname(folder)) break
    }
  }
  throw new Error(
    'The folder of the program with prisma/migrations was not found beside it or above the working folder',
  )
}

/** The checked-in migrations of SQLite databases. */
export function migrationsFolder(): string {
  return join(packageFolder(), 'prisma', 'migrations', 'sqlite')
}

/**
 * The built file of the threads that replay; null: it was not built, as in tests.
 * @param where beside this bundle, or where the command line of this package was built
 */
export function replayWorkerFile(where: 'beside' | 'package'): string | null {
  // Put together by hand: a bundler would take `new URL('./…', import.meta.url)` for a file that it must find now.
  const folder =
    where === 'beside'
      ? dirname(fileURLToPath(import.meta.url))
      : join(packageFolder(), 'dist', 'cli', 'verbs')
  const file = join(folder, 'replay-worker.js')
  return existsSync(file) ? file : null
}
