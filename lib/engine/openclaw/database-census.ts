import { SourceProblem } from '../read/source-problem'

/** What a database holds of one transcript. */
export type CountedTranscript = {
  /** The session key that it belongs to, now or before a reset; null when none is known. */
  readonly key: string | null
  readonly rows: number
  /** SHA-256 over the texts of the rows, hex. */
  readonly hash: string
  /** The same without the first row, hex. */
  readonly restHash: string
  /**
   * The same over as many rows as an earlier census had counted; null when there are fewer now, or nothing was counted.
   */
  readonly earlierHash: string | null
}

/** Everything in an agent's database that its maintenance may touch, at one moment. */
export type DatabaseCensus = {
  /** The index: what each session key represents. `archivedAt` in milliseconds; null: not put aside. */
  readonly keys: ReadonlyMap<string, { readonly sessionId: string; readonly archivedAt: number | null }>
  /** By session id. */
  readonly transcripts: ReadonlyMap<string, CountedTranscript>
  /** Transcripts that the database keeps as archives: by name, the id of the session. */
  readonly archives: ReadonlyMap<string, string>
}

/** Reads a database, which it does not change. */
export interface DatabaseCensusTaker {
  /** The session keys of its index. @throws SourceProblem when it cannot be read */
  keys(database: string): Promise<ReadonlySet<string>>
  /** @param earlier a census to compare with @throws SourceProblem when it cannot be read */
  take(database: string, earlier: DatabaseCensus | null): Promise<DatabaseCensus>
}

/** A census, or why none can be taken, for the operator. */
export async function lookAtDatabase(
  census: DatabaseCensusTaker,
  database: string,
  earlier: DatabaseCensus | null,
): Promise<DatabaseCensus | string> {
  try {
    return await census.take(database, earlier)
  } catch (error) {
    if (error instanceof SourceProblem) return error.message
    throw error
  }
}
