import type { Bytes } from '../units/units'
/** What is wrong with a transcript as a file, though its entries are read as far as that goes. */
export type FileFlaw = {
  readonly kind: 'empty' | 'no-entry' | 'headless' | 'unfinished'
  /** What is wrong and what to do, in sentences. */
  readonly text: string
}

/** What reading a transcript to its end came to. */
export type TranscriptFile = {
  readonly entries: number
  readonly unreadable: number
  /** 0: there was no header (`FoldTotals.version`). */
  readonly version: number
  /** Bytes after the last line that was taken; null when unknown, or for rows of a database. */
  readonly unfinished: number | null
}

/** The flaws of a transcript, the gravest first; none for a sound one. */
export function fileFlaws({ entries, unreadable, version, unfinished }: TranscriptFile): readonly FileFlaw[] {
  const rest = unfinished ?? 0
  if (entries === 0 && unfinished === 0) return [{ kind: 'empty', text: EMPTY }]
  const flaws: FileFlaw[] = []
  if (entries > 0 && entries === unreadable) return [{ kind: 'no-entry', text: noEntry(entries) }]
  if (entries > 0 && version === 0) flaws.push({ kind: 'headless', text: HEADLESS })
  if (rest > 0) flaws.push({ kind: 'unfinished', text: unfinishedText(rest) })
  return flaws
}

const EMPTY =
  'The file is empty: no session was ever written into it, or it was cut. Restore it from a backup, or delete it if it is not needed.'

const HEADLESS =
  'No session header: the first line, which says whose transcript this is, is missing. Its entries are shown as they are, but OpenClaw refuses such a file, and pi empties it when the session is opened. Put the line back from a backup first.'

function noEntry(lines: number): string {
  const what = lines === 1 ? 'Its only line is' : `All ${lines} lines are`
  return `${what} unreadable: binary data, another encoding than UTF-8, or no transcript at all. Restore it from a backup, or move it out of the store.`
}

function unfinishedText(bytes: Bytes): string {
  return `The last line is not finished (${bytes} ${bytes === 1 ? 'byte' : 'bytes'}) and is left out until its end is written. If no agent writes any more, "plimsoll repair" takes it away, with a backup.`
}
