import { decodeUtf8 } from '../adapters/decode-utf8'
import { lineSkeleton } from '../adapters/line-skeleton'
import { readPieces } from '../adapters/read-pieces'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { sha256 } from '../adapters/write/sha256'
import type { InspectPorts } from '../engine/inspect-transcript'

/** Reads transcripts for checks and repairs; nothing here can write. */
export const inspectPorts: InspectPorts = {
  files: nodeWriteFiles,
  sha256,
  decode: decodeUtf8,
  skeleton: lineSkeleton,
  pieces: readPieces,
}
