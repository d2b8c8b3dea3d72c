/** The logs of a context manager, one file each. */
export const LOG_KINDS = ['compaction', 'curation', 'drops', 'recovery', 'health'] as const

export type LogKind = (typeof LOG_KINDS)[number]
