/** A value with the credentials in it covered, in names too; what a name like `apiKey` holds counts as one. */
export function maskValue(key: string, value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const assigned = `${key}="${value}"`
    const covered = mask(assigned)
    return mask(covered === assigned ? value : covered.slice(key.length + 2, -1))
  }
  if (Array.isArray(value)) return value.map((item) => maskValue(key, item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name), maskValue(name, item, mask)]),
  )
}
