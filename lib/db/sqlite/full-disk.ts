/** There is no room left for an SQLite file of ours. Its message says what to do. */
export class FullDiskError extends Error {
  readonly code = 'DATABASE_FULL'

  constructor(file: string, cause?: unknown) {
    super(fullDiskText(file), { cause })
  }
}

/** @param place file or folder that could not be written */
export function fullDiskText(place: string): string {
  return `The disk that holds ${place} is full. Free some space there, or name another place with PLIMSOLL_HOME or DATABASE_URL. What was read before stays, and nothing is lost: the rest is read as soon as there is room.`
}

/** Whether an error of SQLite or of the system says that there is no room. */
export function isFullDisk(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_FULL') || code === 'ENOSPC' || code === 'EDQUOT'
}
