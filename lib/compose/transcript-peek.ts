import { decodeUtf8 } from '../adapters/jsonl/decode-utf8'
import { lineSkeleton } from '../adapters/jsonl/line-skeleton'
import { readPieces } from '../adapters/jsonl/read-pieces'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import type { PeekPorts } from '../engine/repair/inspect-transcript'

/** Reads transcripts for checks; apart from what repairs take, as loading the hash takes as long as a small check. */
export const peekPorts: PeekPorts = {
  files: nodeWriteFiles,
  decode: decodeUtf8,
  skeleton: lineSkeleton,
  pieces: readPieces,
}
