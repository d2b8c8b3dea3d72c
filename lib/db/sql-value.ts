/** A value that a database of ours stores, as JavaScript holds it. Integers beyond 2^53 do not occur. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** The driver ends the process on a value that it does not know, so nothing else may reach it. */
export function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value
  }
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Uint8Array) return value
  throw new TypeError(`The database cannot store a value of type ${typeof value}`)
}
