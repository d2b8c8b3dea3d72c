import {
  type CacheBreak,
  cacheBreaksOf,
  type RequestPlace,
} from '../../core/sources/claude-code/recorded-request'
import type {
  ProofTotals,
  RequestLedger,
  RequestMessage,
  RequestProof,
} from '../../core/sources/claude-code/requests'
import { isObject, type JsonObject } from '../../core/transcript/json'
import type { Bytes } from '../../core/units/units'
import type { InspectedSession } from './inspect-session'
import type { FoundStore, FoundTranscript, StoreReader } from './ports'
import { splitLines } from './split-lines'

/** Longer lines are not held in memory: what is in them is not found. */
const MAX_LINE: Bytes = 32 * 1024 * 1024

/** The entry that lines with system prompt and tools are read as: no request is recorded without one. */
const SHAPE = 'claude-code:api-request-shape'

/** SHA-256 of a text in UTF-8, in hexadecimal digits. */
export type HashText = (text: string) => string

/** Where a session's transcript is read from. */
type Place = {
  readonly reader: StoreReader
  readonly store: FoundStore
  readonly transcript: FoundTranscript
}

/** The request that a call answers. */
export type ProvedRequest = RequestProof & {
  /** Its messages in order, as far as it can be rebuilt. */
  readonly contents: readonly RequestMessage[]
  readonly cacheBreaks: readonly CacheBreak[]
}

/** What the requests that a session records prove. */
export type SessionProof = {
  readonly totals: ProofTotals
  /** The request of a call, by the line of its answer; null when none was recorded for it. */
  readonly requestAt: (line: number) => Promise<ProvedRequest | null>
}

/** Whether a session records its requests. */
export function recordsRequests({ facts }: Pick<InspectedSession, 'facts'>): boolean {
  return facts.some(({ customType }) => customType === SHAPE)
}

/**
 * Rebuilds every request that a transcript records, and proves its messages by their hashes. Reads the transcript once,
 * and again those lines that are one message together; keeps no texts.
 * @param ledger a fresh one of its runtime
 * @throws SourceProblem when its source cannot be read
 */
export async function proveRequests(place: Place, ledger: RequestLedger): Promise<SessionProof> {
  let offset = 0
  for await (const group of splitLines(bytesOf(place), MAX_LINE)) {
    for (const { line, bytes, length } of group) {
      const value = length > MAX_LINE ? null : parsed(bytes)
      if (value !== null) ledger.take(value, { line, offset, bytes: length })
      offset += length + 1
    }
  }
  for (const places of ledger.together()) {
    const lines: JsonObject[] = []
    for (const one of places) lines.push((await lineAt(place, one)) ?? {})
    ledger.takeTogether(lines, places)
  }
  const proofs = ledger.proofs()
  return {
    totals: ledger.totals(),
    requestAt: async (line) => {
      const index = ledger.answeredAt(line)
      const proof = index === null ? undefined : proofs[index]
      if (index === null || proof === undefined) return null
      const recorded = (await lineAt(place, proof.place)) ?? {}
      return { ...proof, contents: ledger.messages(index), cacheBreaks: cacheBreaksOf(recorded) }
    },
  }
}

function bytesOf(
  { reader, store, transcript }: Place,
  from?: number,
  to?: number,
): AsyncIterable<Uint8Array> {
  return reader.bytes?.(store, transcript, from, to) ?? NOTHING
}

const NOTHING: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: async function* () {} }

async function lineAt(place: Place, { offset, bytes }: RequestPlace): Promise<JsonObject | null> {
  for await (const [line] of splitLines(bytesOf(place, offset, offset + bytes), MAX_LINE)) {
    return line === undefined ? null : parsed(line.bytes)
  }
  return null
}

const decoder = new TextDecoder()

/** A line as an object; null when it is none. */
function parsed(bytes: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isObject(value) ? value : null
  } catch {
    // The lines that cannot be read are named where the transcript is read.
    return null
  }
}
