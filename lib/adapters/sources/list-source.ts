import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isTranscriptName } from '../../core/transcript/formats/transcript-name'
import type { FoundStore, FoundTranscript } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { walkTranscriptNames } from '../discovery/walk-transcripts'
import { findTranscriptFile } from '../stores/jsonl-files'
import type { ListingCache } from '../stores/listing-cache'
import { recogniseFile } from './recognise'
import type { Source } from './source'

const TURN = 512
/** The same for all files: what is said of one follows from its path alone. */
const BY_PATH = {}

/**
 * Lists the transcripts of a source below a folder.
 *
 * @throws SourceProblem after the last transcript when some folder could not be listed.
 */
export async function* listSource(
  source: Source,
  store: FoundStore,
  seenFiles: ListingCache,
): AsyncGenerator<FoundTranscript> {
  const problems: SourceProblem[] = []
  const seen = seenFiles.begin(store.id)
  let count = 0
  for (const file of filesOf(source, store.root, problems, (known) => seen.hadBefore(known))) {
    const described = source.reading.era === 'jsonl' ? source.reading.describe(store.root, file) : null
    if (described === null) continue
    const { ofAgent: _, ...facts } = described
    const found = findTranscriptFile(store, file, seen, BY_PATH, () => ({ ...facts, index: null }))
    if (found === null) continue
    yield found
    if (++count % TURN === 0) await setImmediate()
  }
  if (problems[0] !== undefined) throw problems[0]
}

/**
 * The files of a source below a folder: all of them in its own, else those whose name or first lines are its.
 * @param isKnown they were found to be its before: they are not opened again
 */
export function* filesOf(
  source: Source,
  root: string,
  problems: SourceProblem[],
  isKnown: (file: string) => boolean = () => false,
): Generator<string> {
  const isOwn = source.discovery.owns(root)
  for (const file of walkTranscriptNames(root, problems, () => undefined)) {
    if (file !== root && !isPlain(file)) continue
    const isSure = isOwn || file === root || source.discovery.isNamed(file) || isKnown(file)
    if (isSure || recogniseFile(file)?.kind === source.kind) yield file
  }
}

function isPlain(file: string): boolean {
  const name = path.basename(file)
  return name.endsWith('.jsonl') && isTranscriptName(name)
}
