import type { WriteFiles } from '../../engine/write/write-ports'

/** The log that is written to; beside it those that were put aside, and how far it had come. */
const NAME = 'audit.jsonl'
const ASIDE = /^audit\.([1-9]\d{0,8})\.jsonl$/
const HEAD = 'audit.head.json'

/** What a line of the log and its head are proofs of, for `Prover`. */
export const LINE_PURPOSE = 'audit line'
export const HEAD_PURPOSE = 'audit head'

/** Files of the log of writes in its folder. */
export type AuditFiles = {
  readonly current: string
  readonly head: string
  /** Oldest first; all of them are kept. */
  aside(): Promise<readonly string[]>
  /** Name for the next one that is put aside. */
  next(): Promise<string>
}

export function auditFiles(files: WriteFiles, folder: string): AuditFiles {
  const numbers = async () =>
    (await files.list(folder))
      .flatMap((name) => Number(ASIDE.exec(name)?.[1] ?? 0) || [])
      .sort((a, b) => a - b)
  const nameOf = (number: number) => files.join(folder, `audit.${number}.jsonl`)
  return {
    current: files.join(folder, NAME),
    head: files.join(folder, HEAD),
    aside: async () => (await numbers()).map(nameOf),
    next: async () => nameOf(((await numbers()).at(-1) ?? 0) + 1),
  }
}
