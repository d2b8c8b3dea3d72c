import { decodeUtf8 } from '../adapters/decode-utf8'
import { lineSkeleton } from '../adapters/line-skeleton'
import { readPieces } from '../adapters/read-pieces'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import type { LookPorts } from '../engine/inspect-transcript'

/** Reads transcripts for checks; apart from what repairs take, as loading the hash takes as long as a small check. */
export const lookPorts: LookPorts = {
  files: nodeWriteFiles,
  decode: decodeUtf8,
  skeleton: lineSkeleton,
  pieces: readPieces,
}
