import type { LogKind } from './log-kinds'

/** The file of each log; the plan's name first, then what the module itself calls it. */
export const LOG_FILES: { readonly [K in LogKind]: readonly [string, ...string[]] } = {
  compaction: ['compaction.jsonl'],
  curation: ['curation.jsonl'],
  drops: ['drops.jsonl'],
  recovery: ['recovery.jsonl'],
  health: ['context-health.jsonl', 'health.jsonl'],
}

/** A file of a log and its place among those that were put aside: 0 is being written to, higher ones are older. */
export type LogFileName = { readonly kind: LogKind; readonly age: number }

/** What a file of a log folder is; null when it is none of ours to read. */
export function parseLogFileName(name: string): LogFileName | null {
  const match = /^(.+\.jsonl)(?:\.([1-9]\d{0,3}))?$/.exec(name)
  if (match === null) return null
  const found = Object.entries(LOG_FILES).find(([, names]) => names.some((own) => own === match[1]))
  return found === undefined ? null : { kind: found[0] as LogKind, age: Number(match[2] ?? 0) }
}
