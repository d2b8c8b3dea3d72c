import { createHash } from 'node:crypto'

/** First 12 hex digits of SHA-256 over kind, era and real path of a store. */
export function storeId(kind: string, era: string, root: string): string {
  return hash(`${kind}\n${era}\n${root}`, 12)
}

/** First 16 hex digits of SHA-256 over store and source; `source` is a path, or a database path and a session id. */
export function transcriptId(store: string, ...source: string[]): string {
  return hash([store, ...source].join('\n'), 16)
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
