import { reasonOf } from '../../core/words/reason-of'
import 'server-only'
import { maskedSlice, maskSecrets } from '../../core/redaction/secrets'
import { type Branches, ROOT } from '../../core/transcript/branches'
import type { EntryLine } from '../../core/transcript/entry-line'
import type { SessionDetail } from '../../db/queries/session-detail'
import { entriesBetween, entriesBySeq } from '../../db/queries/session-entries'
import { type BranchMarks, branchMarks, startsTurn } from '../../view/session/branch-marks'
import { entryBlocks, entryBlockText, entryImage, sliceText } from '../../view/session/entry-blocks'
import {
  type EntryDetail,
  type EntryView,
  FIRST_CHARS,
  LIST_LINE_BYTES,
  MORE_CHARS,
  type TextPiece,
  TRANSCRIPT_PAGE_ROWS,
  type TranscriptPage,
} from '../../view/session/entry-detail'
import { maskBlocks } from '../../view/session/masked-blocks'
import { TURN_PAGE_ROWS, type TurnPage, turnFacts, turnOf } from '../../view/session/turns'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'
import { readEntryText, readSavedText } from './entry-source'
import { getBranches } from './session-branches'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

const marksOf = remember<number, BranchMarks>('transcript-marks', 4)

/** One page of the transcript with the texts of its entries, shortened; null when there is no such session. */
export async function getTranscriptPage(id: string, page: number): Promise<TranscriptPage | null> {
  const session = await getSession(id)
  if (!session) return null
  const from = page * TRANSCRIPT_PAGE_ROWS
  const range = { from, to: from + TRANSCRIPT_PAGE_ROWS - 1 }
  const lines = entriesBetween(await getDatabase(), session.row, range)
  return { total: session.entries, rows: await viewsOf(session, lines) }
}

/** Sequence number of the first entry at or behind a line of its file; null where nothing is. @param line from 1 */
export async function getEntryAtLine(id: string, line: number): Promise<number | null> {
  const session = await getSession(id)
  if (!session) return null
  const { facts } = await getBranches(session)
  let [low, high] = [0, facts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((facts[middle]?.line ?? 0) < line) low = middle + 1
    else high = middle
  }
  return facts[low]?.seq ?? null
}

/** One page of the turns of a session; null when there is no such session. */
export async function getTurnPage(id: string, page: number): Promise<TurnPage | null> {
  const session = await getSession(id)
  if (!session) return null
  const { marks } = await treeOf(session)
  const from = page * TURN_PAGE_ROWS
  const facts = turnFacts(marks.turns, await getCalls(session), { from, to: from + TURN_PAGE_ROWS })
  const lines = entriesBySeq(
    await getDatabase(),
    session.row,
    facts.map((turn) => turn.seq),
  )
  return {
    total: marks.turns.length,
    rows: facts.map((turn) => {
      const line = lines.get(turn.seq)
      return { ...turn, at: line?.at ?? null, preview: line?.preview ?? null }
    }),
  }
}

/**
 * One entry with its place and the beginning of its raw line; null when it does not exist. Credentials are covered unless
 * they are to be revealed.
 */
export async function getEntryDetail(
  id: string,
  seq: number,
  { reveal }: { readonly reveal: boolean },
): Promise<EntryDetail | null> {
  const found = await findEntry(id, seq)
  if (!found) return null
  const { session, line } = found
  const { branches, marks } = await treeOf(session)
  const raw = await readEntryText(session, { ...line, asWritten: true })
  const shown = maskBlocks(entryBlocks(await readEntryText(session, line)), FIRST_CHARS, reveal)
  return {
    entry: { ...viewOf(line, branches, marks), ...shown, sourceProblem: null },
    path: session.path,
    raw: pieceOf(raw, 0, FIRST_CHARS, reveal),
    rawChars: raw.length,
  }
}

/**
 * A further piece of one of its texts, or of the raw line (`block` null), or of the output that was saved beside the
 * transcript in place of a text; null when there is no such text.
 */
export async function getEntryPiece(
  id: string,
  seq: number,
  {
    block,
    from,
    reveal,
    saved,
  }: {
    readonly block: number | null
    readonly from: number
    readonly reveal: boolean
    readonly saved: boolean
  },
): Promise<TextPiece | null> {
  const found = await findEntry(id, seq)
  if (!found) return null
  const text = await readEntryText(found.session, {
    ...found.line,
    ...(block === null && { asWritten: true }),
  })
  const part = block === null ? null : entryBlocks(text)[block]
  if (part === undefined) return null
  if (saved) {
    const name = part?.kind === 'output' ? part.saved : undefined
    return name === undefined ? null : pieceFrom(await readSavedText(found.session, name), from, reveal)
  }
  return pieceFrom(part === null ? text : entryBlockText(part), from, reveal)
}

function pieceFrom(text: string, from: number, reveal: boolean): TextPiece {
  return { text: pieceOf(text, from, MORE_CHARS, reveal), chars: text.length }
}

/** A stretch of a text, with credentials covered unless they are to be revealed. */
function pieceOf(text: string, from: number, length: number, reveal: boolean): string {
  const piece = sliceText(text, from, length)
  if (reveal) return piece
  // A cut that would tear a pair of halves begins one unit earlier.
  const start = text.startsWith(piece, from) ? from : from - 1
  return maskedSlice(text, start, start + piece.length)
}

/** A picture in an entry; null when there is none. */
export async function getEntryImage(
  id: string,
  seq: number,
  block: number,
): Promise<{ readonly mimeType: string; readonly base64: string } | null> {
  const found = await findEntry(id, seq)
  return found && entryImage(await readEntryText(found.session, found.line), block)
}

async function findEntry(
  id: string,
  seq: number,
): Promise<{ readonly session: SessionDetail; readonly line: EntryLine } | null> {
  const session = await getSession(id)
  if (!session) return null
  const line = entriesBySeq(await getDatabase(), session.row, [seq]).get(seq)
  return line ? { session, line } : null
}

async function treeOf(session: SessionDetail): Promise<{ branches: Branches; marks: BranchMarks }> {
  const branches = await getBranches(session)
  return { branches, marks: marksOf(session.row, session.revision, () => branchMarks(branches)) }
}

async function viewsOf(session: SessionDetail, lines: readonly EntryLine[]): Promise<EntryView[]> {
  const { branches, marks } = await treeOf(session)
  return Promise.all(
    lines.map(async (line) => {
      const view = viewOf(line, branches, marks)
      if (line.bytes > LIST_LINE_BYTES) return view
      try {
        const text = await readEntryText(session, line)
        return { ...view, ...maskBlocks(entryBlocks(text), FIRST_CHARS, false) }
      } catch (error) {
        return { ...view, sourceProblem: reasonOf(error) }
      }
    }),
  )
}

function viewOf(line: EntryLine, branches: Branches, marks: BranchMarks): EntryView {
  const fact = branches.facts[line.seq]
  const parent = branches.parentOf(line.seq)
  const { offset: _offset, ...shown } = line
  return {
    ...shown,
    turn: turnOf(marks.turns, line.seq),
    beginsTurn: fact !== undefined && startsTurn(fact),
    isError: fact?.isError === true || fact?.stopReason === 'error',
    active: marks.active.has(line.seq),
    parent: parent === ROOT ? null : parent,
    forks: marks.forks.has(line.seq),
    labels: (marks.labels.get(line.seq) ?? []).map(maskSecrets),
    target: marks.targets.get(line.seq) ?? null,
    blocks: null,
    secrets: 0,
    sourceProblem: null,
  }
}
