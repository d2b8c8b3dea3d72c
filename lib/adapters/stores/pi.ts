import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ModelWindows } from '../../core/transcript/formats/openclaw-config'
import { readTranscriptName } from '../../core/transcript/formats/transcript-name'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { walkTranscripts } from '../discovery/walk-transcripts'
import { type FileFacts, findTranscriptFile } from './jsonl-files'
import type { ListingCache } from './listing-cache'
import type { RuntimeFiles } from './openclaw-settings'

const TURN = 512

/**
 * Lists the transcripts below a pi sessions folder, or below any folder that holds transcripts.
 *
 * @throws SourceProblem after the last transcript when some folder could not be listed.
 */
export async function* listPiFiles(
  store: FoundStore,
  files: RuntimeFiles,
  seenFiles: ListingCache,
): AsyncGenerator<FoundTranscript> {
  const windows = files.windows(null, path.join(path.dirname(store.root), 'models.json'))
  const problems: SourceProblem[] = []
  const seen = seenFiles.begin(store.id)
  let count = 0
  for (const file of walkTranscripts(store.root, problems)) {
    const found = findTranscriptFile(store, file, seen, windows, () => describe(store.root, file, windows))
    if (found === null) continue
    yield found
    if (++count % TURN === 0) await setImmediate()
  }
  if (problems[0] !== undefined) throw problems[0]
}

function describe(root: string, file: string, windows: ModelWindows): FileFacts {
  const name = readTranscriptName(path.basename(file))
  return {
    sessionId: sessionIdOf(root, file, name?.sessionId),
    key: null,
    agent: null,
    state: name?.state ?? 'live',
    index: null,
    windows,
  }
}

/** Sub-agents of pi all call their file `session.jsonl`; the folders above tell them apart: `<session>/<hash>/run-0`. */
function sessionIdOf(root: string, file: string, named: string | undefined): string {
  if (named !== undefined && named !== 'session') return named
  const folders = path.relative(root, path.dirname(file)).split(path.sep).filter(Boolean)
  return folders.length === 0 ? (named ?? path.basename(file)) : folders.slice(-3).join('/')
}
