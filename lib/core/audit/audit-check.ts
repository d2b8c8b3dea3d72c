/** What the log of writes proves about itself. */
export type AuditCheck = {
  /** Every line since the log is chained is as it was written, and none is missing. */
  readonly ok: boolean
  /** The files of the log, oldest first. */
  readonly files: readonly string[]
  /** Lines with a seal, those that a crash cut short, and those from before the log was chained. */
  readonly chained: number
  readonly torn: number
  readonly older: number
  /** Where the chain breaks first. Lines count from 1. */
  readonly broken: { readonly file: string; readonly line: number; readonly why: string } | null
  /** What else is wrong: lines at the end are missing, the key is gone. Sentences. */
  readonly problems: readonly string[]
  /** Receipts that a line names, whatever state it tells. */
  readonly receipts: ReadonlySet<string>
}
