import { sha256 } from '../adapters/write/sha256'
import type { InspectPorts } from '../engine/inspect-transcript'
import { lookPorts } from './transcript-look'

/** Reads transcripts for checks and repairs; nothing here can write. */
export const inspectPorts: InspectPorts = { ...lookPorts, sha256 }
