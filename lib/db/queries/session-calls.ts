import type { CallRecord } from '../../core/tokens/call-record'
import { readCallBlocks } from '../call-blocks'
import type { Database } from '../client'

/** All calls of a session in order. */
export function readCalls({ connection }: Pick<Database, 'connection'>, sessionRow: number): CallRecord[] {
  return readCallBlocks(connection, sessionRow)
}
