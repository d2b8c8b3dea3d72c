import { type BackPlace, placeBack, recoveredText } from '../../core/cold/place-back'
import type { ColdRecord } from '../../core/cold/record'
import type { EntryFact } from '../../core/transcript/entry'
import type { Tokens } from '../../core/units/units'
import type { FoundStore, FoundTranscript } from '../read/ports'
import type { Decode } from '../write/check-transcript'
import { contextLines } from '../write/context-lines'
import type { WriteRefusal } from '../write/receipt'
import type { WriteFiles } from '../write/write-ports'
import { isInContext, recoveryTarget } from './recover-chunk'

export type PreviewPorts = {
  readonly files: Pick<WriteFiles, 'read' | 'realPath'>
  readonly decode: Decode
  readonly now: () => number
  readonly sizeOf: (text: string) => number
}

/** A chunk as it would be in its session again. */
export type RecoveryPreview = {
  /** The transcript that would be written; what a read-only session would be, too. */
  readonly file: string
  readonly place: BackPlace
  /** Entries of the context around the place, oldest first, by the tree of the transcript. */
  readonly before: readonly EntryFact[]
  readonly after: readonly EntryFact[]
  /** Of the note that would be written, estimated. */
  readonly tokens: Tokens
  readonly isThere: boolean
  /** Why it cannot be written back; null when it can. */
  readonly refusal: WriteRefusal | null
}

/** Entries of the neighbourhood on each side. */
const NEIGHBOURS = 3

/** Shows where a chunk would go back, among what, and how large it would be. Nothing is written. */
export async function previewRecovery(
  { files, decode, now, sizeOf }: PreviewPorts,
  {
    chunk,
    store,
    transcript,
    wanted,
  }: {
    readonly chunk: ColdRecord
    readonly store: FoundStore
    readonly transcript: FoundTranscript
    readonly wanted: 'neighbourhood' | 'end'
  },
): Promise<RecoveryPreview> {
  const target = recoveryTarget({ chunk, store, transcript }, now())
  const text = recoveredText(chunk)
  const tokens = sizeOf(text)
  if (store.era === 'sqlite') {
    const place = { kind: 'end', leaf: null, why: null } as const
    const refusal = 'code' in target ? target : null
    return { file: transcript.path, place, before: [], after: [], tokens, isThere: false, refusal }
  }
  const file = 'file' in target ? await files.realPath(target.file).catch(() => target.file) : transcript.path
  const context = await contextLines(files.read(file), decode, store.kind)
  const place = placeBack(context.branches, chunk.place, wanted)
  const inContext = new Set(context.lines)
  const sent = context.branches.facts.filter((fact) => fact !== undefined && inContext.has(fact.line))
  const behind = place.kind === 'end' ? sent.length : sent.findIndex(({ seq }) => seq >= place.before.seq)
  const at = behind === -1 ? sent.length : behind
  return {
    file,
    place,
    before: sent.slice(Math.max(0, at - NEIGHBOURS), at),
    after: sent.slice(at, at + NEIGHBOURS),
    tokens,
    isThere: isInContext(context, text),
    refusal: 'code' in target ? target : null,
  }
}
