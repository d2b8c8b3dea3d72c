/** A database URL that this build cannot open. */
export class DatabaseUrlError extends Error {
  readonly code = 'DATABASE_URL'
}

/** The file name that a `file:` URL names. */
export function databasePath(url: string): string {
  if (!url.startsWith('file:')) {
    throw new DatabaseUrlError(`DATABASE_URL is ${JSON.stringify(url)}; it must begin with "file:" (SQLite)`)
  }
  return url.slice('file:'.length)
}
