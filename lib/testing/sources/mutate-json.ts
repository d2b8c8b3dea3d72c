/** What is in no fixture: other types, keys that every object has, sizes and depths that no writer makes. */
export const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  'x'.repeat(100_000),
  [],
  [null, 1, 'x', { type: 'text' }, { type: 'constructor' }],
  {},
  { type: '__proto__', toString: 1, hasOwnProperty: 1, length: -1 },
]

/** Paths to every value within a JSON value, itself included. */
export function pathsIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...at, key]))]
}

/** The same value with another one at a path. */
export function replacedAt(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((inner, i) => (String(i) === key ? replacedAt(inner, rest, by) : inner))
  const object = value as { readonly [key: string]: unknown }
  return { ...object, [key]: replacedAt(object[key], rest, by) }
}
