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

/** One key, so that it can be in a path. */
export function escapeKey(key: string): string {
  return key.replaceAll('.', '\\.')
}

/** A path as a person reads it, e.g. `overrides[0].policy`: keys with dots between, and places in lists as `[n]`. */
export function dottedKey(keys: readonly string[]): string {
  return keys.reduce((text, key) => (key.startsWith('[') || text === '' ? text + key : `${text}.${key}`), '')
}

/** The value at a path of keys; undefined where a key is missing, or where what should hold it is no map. */
export function valueAtKeys(value: unknown, keys: readonly string[]): unknown {
  let at = value
  for (const key of keys) at = isMap(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return at
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
