import { type BackPlace, noteLine, placeBack, recoveredText } from '../../core/cold/place-back'
import type { ColdRecord } from '../../core/cold/record'
import { isExpired } from '../../core/cold/retention'
import type { Emission, RepairPlan } from '../../core/repair/plan'
import { linesWithoutCheckpoints } from '../../core/repair/stale-checkpoints'
import { previewOf } from '../../core/transcript/reading/read-content'
import type { Milliseconds } from '../../core/units/units'
import type { ContextLog } from '../logs/log-ports'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { repairTarget } from '../repair/repair-target'
import type { Decode } from '../write/check-transcript'
import { type ContextLines, contextLines } from '../write/context-lines'
import { readFileState } from '../write/file-state'
import type { FileState, Receipt, WriteRefusal } from '../write/receipt'
import { changeFiles } from '../write/replace-file'
import { rewriteLines } from '../write/rewrite-lines'
import type { Writer } from '../write/write-ports'
import type { FileOperation, Verify, WaitOptions, WriteTarget } from '../write/write-requests'
import { logRecovery, type RecoveryCause } from './log-recovery'

export type RecoverPorts = {
  readonly writer: Writer
  readonly decode: Decode
  /** Eight hex digits that no entry of the transcript has yet. */
  readonly newEntryId: (isTaken: (id: string) => boolean) => string
  readonly log: ContextLog
}

export type RecoverRequest = {
  readonly chunk: ColdRecord
  readonly store: FoundStore
  readonly transcript: FoundTranscript
  readonly wanted: 'neighbourhood' | 'end'
  readonly cause: RecoveryCause
  readonly actor: string
  readonly wait: WaitOptions
}

export type RecoverResult =
  | {
      readonly kind: 'recovered'
      readonly entryId: string
      readonly place: BackPlace
      readonly receipt: Receipt
      readonly notes: readonly string[]
    }
  /** The chunk is back in the context already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/**
 * Brings a chunk back into its transcript as a note in the user's role: locked, backed up, verified by building
 * the context anew, with a receipt that can be undone, and logged.
 */
export async function recoverChunk(ports: RecoverPorts, request: RecoverRequest): Promise<RecoverResult> {
  const { writer, decode } = ports
  const { chunk, store, transcript, wanted, cause } = request
  const target = recoveryTarget(request, writer.clock.now())
  if ('code' in target) return { kind: 'refused', refusal: target }
  const file = await writer.files.realPath(target.file).catch(() => target.file)
  const expected = await readFileState(writer, file)
  if (expected === null)
    return refuse(
      'missing',
      `${transcript.path} is not there any more, so nothing can be brought back into it.`,
    )
  const before = await contextLines(writer.files.read(file), decode, store.kind)
  const text = recoveredText(chunk)
  if (isInContext(before, text)) return { kind: 'unchanged' }
  const place = placeBack(before.branches, chunk.place, wanted)
  const taken = new Set(before.branches.facts.map((fact) => fact?.id))
  const entryId = ports.newEntryId((id) => taken.has(id))
  const note = { entryId, text, at: writer.clock.now(), place }
  const result = await changeFiles(writer, {
    intent: {
      kind: 'recover',
      actor: request.actor,
      reason: `Brought the chunk ${chunk.chunkId} back from cold storage, ${where(place)}.`,
      session: transcript.key ?? transcript.sessionId,
      summary: {
        chunk: chunk.chunkId,
        session: chunk.sessionId,
        entry: entryId,
        tokens: chunk.tokens,
        place: place.kind,
      },
    },
    root: target.root,
    kind: target.kind,
    operations: [operationOf({ file, expected, before, note, decode, kind: store.kind })],
    wait: request.wait,
  })
  if (result.kind !== 'done') return result
  const problem = await logRecovery(ports.log, chunk, cause, 'transcript')
  const notes = [...result.notes, ...(problem === null ? [] : [problem])]
  return { kind: 'recovered', entryId, place, receipt: result.receipt, notes }
}

/** Why a chunk is no longer offered; null as long as it is. */
export function expiredRefusal(chunk: ColdRecord, now: Milliseconds): WriteRefusal | null {
  if (chunk.until === null || !isExpired(chunk, now)) return null
  const until = new Date(chunk.until).toISOString()
  return { code: 'expired', message: `The chunk ${chunk.chunkId} could be brought back until ${until}.` }
}

/** Where a chunk may be written back to, or why not. */
export function recoveryTarget(
  { chunk, store, transcript }: Pick<RecoverRequest, 'chunk' | 'store' | 'transcript'>,
  now: Milliseconds,
): WriteTarget | WriteRefusal {
  const expired = expiredRefusal(chunk, now)
  if (expired !== null) return expired
  if (transcript.state !== 'live') {
    const message = `${transcript.path} is archived (${transcript.state}); a chunk only goes back into a live session.`
    return { code: 'not-supported', message }
  }
  const found = repairTarget(store, transcript)
  if (found.kind === 'file') return found.target
  const message = `${transcript.path} is only read: a chunk cannot go back into it. Bring it to standard output or into a file instead.`
  return { code: 'not-supported', message }
}

/** Whether a note is in the context already. Beginnings of notes tell chunks apart, since their ids are there. */
export function isInContext({ branches, lines }: ContextLines, text: string): boolean {
  const inContext = new Set(lines)
  const preview = previewOf(text)
  return branches.facts.some((fact) => inContext.has(fact.line) && fact.preview === preview)
}

function where(place: BackPlace): string {
  return place.kind === 'neighbourhood' ? 'to where it was' : 'to the end of the context'
}

type Note = {
  readonly entryId: string
  readonly text: string
  readonly at: number
  readonly place: BackPlace
}

type Change = {
  readonly file: string
  readonly expected: FileState
  readonly before: ContextLines
  readonly note: Note
  readonly decode: Decode
  readonly kind: FoundStore['kind']
}

function operationOf({ file, expected, before, note, decode, kind }: Change): FileOperation {
  const { entryId: id, text, at, place } = note
  const version = before.branches.facts[0]?.header?.version ?? 1
  if (place.kind === 'end') {
    const line = noteLine(version, { id, parentId: place.leaf?.id ?? null, at, text })
    const bytes = new TextEncoder().encode(`${line}\n`)
    return { op: 'append', file, expected, bytes, verify: verifier(before, null, decode, kind) }
  }
  const made = noteLine(version, { id, parentId: place.after.id, at, text })
  const { line } = place.before
  const stale = linesWithoutCheckpoints(before.branches.facts, place.before.seq)
  const plan: RepairPlan = {
    steps: [],
    lines: new Map<number, readonly Emission[]>([
      ...[...stale].map(([at, emission]) => [at, [emission]] as const),
      [
        line,
        [
          { kind: 'made' as const, text: made, edits: [] },
          {
            kind: 'line' as const,
            line,
            edits: [{ set: ['parentId'], value: JSON.stringify(id) }, ...(stale.get(line)?.edits ?? [])],
          },
        ],
      ],
    ]),
    carried: new Set<number>(),
  }
  const verify = verifier(before, line, decode, kind)
  return { op: 'replace', file, expected, produce: (read) => rewriteLines(read, plan, decode), verify }
}

/** The context afterwards must be the one before, with the note in it. @param noteAt its line; null: the last one */
function verifier(
  before: ContextLines,
  noteAt: number | null,
  decode: Decode,
  kind: FoundStore['kind'],
): Verify {
  return async (read) => {
    const after = await contextLines(read(), decode, kind)
    const own = noteAt ?? after.branches.facts.at(-1)?.line ?? 0
    const others = after.lines.filter((line) => line !== own)
    const old = others.map((line) => (line > own ? line - 1 : line))
    const same = old.length === before.lines.length && old.every((line, i) => line === before.lines[i])
    return same && others.length === after.lines.length - 1
      ? null
      : 'the context afterwards would not be the one before with the recovered chunk in it'
  }
}

function refuse(code: WriteRefusal['code'], message: string): RecoverResult {
  return { kind: 'refused', refusal: { code, message } }
}
