import { type CallRecord, readCallBlocks } from '../call-blocks'
import type { Database } from '../client'

export type { CallRecord } from '../call-blocks'

/** All calls of a session in order. */
export function readCalls({ connection }: Pick<Database, 'connection'>, sessionRow: number): CallRecord[] {
  return readCallBlocks(connection, sessionRow)
}
