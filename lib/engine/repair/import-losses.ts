import { type ImportLoss, importLoss } from '../../core/repair/import-loss'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { type PeekPorts, peekTranscript } from './inspect-transcript'
import { repairTarget } from './repair-target'

/** A transcript that would not come through OpenClaw's move into its database as a whole. */
type TranscriptLoss = ImportLoss & { readonly file: string; readonly sessionId: string }

export type ImportLosses = {
  readonly losses: readonly TranscriptLoss[]
  /** Transcripts that were searched, and those that were not, since that would have taken too long. */
  readonly checked: number
  readonly left: number
}

type Listed = { readonly store: FoundStore; readonly transcript: FoundTranscript }

/** Whether a transcript waits to be moved into a database: OpenClaw's live ones in files. */
function isToBeImported({ store, transcript }: Listed): boolean {
  return store.kind === 'openclaw' && store.era === 'jsonl' && transcript.state === 'live'
}

/**
 * What OpenClaw's move into its database would lose, and how much of that a repair saves. Reads every transcript that
 * is to be moved, as far as `budget` goes.
 * @param budget bytes
 */
export async function importLosses(
  ports: PeekPorts,
  all: readonly Listed[],
  budget: number,
): Promise<ImportLosses> {
  const losses: TranscriptLoss[] = []
  let checked = 0
  let left = 0
  let bytes = 0
  for (const { store, transcript } of all.filter(isToBeImported)) {
    const found = repairTarget(store, transcript)
    if (found.kind === 'read-only') continue
    bytes += transcript.stamp.size
    if (bytes > budget) {
      left++
      continue
    }
    const loss = await importLossOf(ports, found.target.file)
    if (loss === 'refused') continue
    checked++
    if (loss !== null) losses.push({ ...loss, file: transcript.path, sessionId: transcript.sessionId })
  }
  return { losses, checked, left }
}

/** What OpenClaw's move into its database would lose of one transcript; null: nothing. `refused`: it cannot be read. */
export async function importLossOf(ports: PeekPorts, file: string): Promise<ImportLoss | null | 'refused'> {
  const looked = await peekTranscript(ports, file)
  return looked.kind === 'refused' ? 'refused' : importLoss(looked.check)
}
