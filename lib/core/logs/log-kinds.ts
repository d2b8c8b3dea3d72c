/**
 * The logs of a context manager, one file each.
 * @example
 * ```ts
 * import { LOG_KINDS } from 'plimsoll-agent'
 *
 * const files = LOG_KINDS.map((kind) => `logs/${kind}.jsonl`)
 * ```
 */
export const LOG_KINDS = ['compaction', 'curation', 'drops', 'recovery', 'health'] as const

export type LogKind = (typeof LOG_KINDS)[number]
