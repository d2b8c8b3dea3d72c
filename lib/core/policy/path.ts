/**
 * Paths to policy values are dotted (`lines.compact.at`). Keys that the operator chose, such as model ids, may hold
 * dots themselves: those are written with a backslash before them.
 */
export function splitPath(path: string): string[] {
  return path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'))
}

export function joinPath(keys: readonly string[]): string {
  return keys.map(escapeKey).join('.')
}

/** One key, so that it can stand in a path. */
export function escapeKey(key: string): string {
  return key.replaceAll('.', '\\.')
}
