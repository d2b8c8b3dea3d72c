import type { Connection } from '../connection'
import { readBlocksOf } from '../entry-blocks'

/** A call that failed, by the row of its session and the number of its entry. */
type FailedEntry = { readonly sessionRow: number; readonly seq: number | null }

/** What the transcripts say of why calls failed, in their order; null: nothing. The text is the provider's or the runtime's. */
export function failureReasons(
  connection: Connection,
  calls: readonly FailedEntry[],
): readonly (string | null)[] {
  const wanted = new Map<number, number[]>()
  for (const { sessionRow, seq } of calls)
    if (seq !== null) wanted.set(sessionRow, [...(wanted.get(sessionRow) ?? []), seq])
  const found = new Map<string, string>()
  for (const [sessionRow, seqs] of wanted)
    for (const { facts } of readBlocksOf(connection, sessionRow, seqs))
      for (const { seq, errorMessage } of facts)
        if (errorMessage !== undefined) found.set(`${sessionRow} ${seq}`, errorMessage)
  return calls.map(({ sessionRow, seq }) => found.get(`${sessionRow} ${seq}`) ?? null)
}
