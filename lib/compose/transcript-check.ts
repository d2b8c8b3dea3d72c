import { sha256 } from '../adapters/write/sha256'
import type { InspectPorts } from '../engine/repair/inspect-transcript'
import { peekPorts } from './transcript-peek'

/** Reads transcripts for checks and repairs; nothing here can write. */
export const inspectPorts: InspectPorts = { ...peekPorts, sha256 }
