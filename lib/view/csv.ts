/** A cell of an exported table; null is an unknown value and stays empty. */
export type CsvCell = string | number | null

/**
 * RFC 4180 text with a header row. A text cell that a spreadsheet would run as a formula gets a leading apostrophe:
 * names come from transcripts, and those are hostile.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `${[header, ...rows].map((row) => row.map(cellText).join(',')).join('\r\n')}\r\n`
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
