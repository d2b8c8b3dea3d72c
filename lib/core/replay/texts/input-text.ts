/** Arguments that are nested deeper than tools nest them are left out. */
const MAX_DEPTH = 6

/** The texts of a call's arguments as they are, without the escapes of JSON, one a line. */
export function inputText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth === MAX_DEPTH) return ''
  return Object.values(value)
    .map((part) => inputText(part, depth + 1))
    .join('\n')
}
