import { fastEstimate } from '../../../adapters/jsonl/fast-estimate'
import { maskSecrets } from '../../../core/redaction/secrets'
import { REPLAY_KINDS, type ReplaySession } from '../../../core/replay/replay-session'
import { entryText } from '../../../core/replay/texts/entry-text'
import { shapeOf } from '../../../core/replay/walk/session-shape'
import { digest } from '../../../core/summary/digest'
import type { LabMaterial } from '../lab/lab-material'
import type { NeedCase } from './case-draws'
import { type CaseWindow, caseWindows } from './case-windows'

const [AROUND, MOST_HITS, MOST_WORDS] = [120, 2, 4]

type Piece = { readonly label: string; readonly text: string }

/**
 * A case as a reader judges it: what the call wrote, where it was before, and what a plain search for it, and for the
 * rarest of its words, finds in all that was left in the prompt of the call.
 */
export function caseText(given: NeedCase): string {
  const { material, session, need, policy, kind, text } = given
  const { needs, chunks } = session
  const call = needs.at[need] as number
  const window = caseWindows(session, policy, new Set([call])).get(call)
  if (window === undefined) throw new Error(`call ${call} of ${session.transcriptId} was not replayed`)
  const sources = [...needs.source.subarray(needs.offset[need], needs.offset[need + 1])]
  const texts = textsBySeq(material)
  const pieceOf = (chunk: number): Piece => ({
    label: `${REPLAY_KINDS[chunks.kind[chunk] as number]}, ${call - (chunks.born[chunk] as number)} calls ago`,
    text: (texts.get(chunks.entry[chunk] as number) ?? '').slice(chunks.from[chunk], chunks.to[chunk]),
  })
  const left = window.chunks.map(pieceOf)
  if (window.summary !== null && !window.summary.isEmpty)
    left.unshift({ label: 'digest', text: digestOf(material, session, window.summary) })
  const { callOf } = shapeOf(session)
  const asked = [...new Set(sources.map((chunk) => callOf[chunk] as number))].filter((chunk) => chunk >= 0)
  const shown = asked.slice(-2).map((chunk) => {
    const isThere = window.chunks.includes(chunk)
    const { label, text: words } = pieceOf(chunk)
    return `   its call (${label}, ${isThere ? 'still there' : 'gone'}): ${JSON.stringify(words.slice(0, 140))}`
  })
  const files = [...new Set(asked.flatMap((chunk) => fileOf(pieceOf(chunk).text)))].slice(-6)
  const named = files.map((file) => {
    const pieces = left.filter((piece) => has(piece.text, file))
    const last = pieces.at(-1)
    return `   its file ${file}: named in ${pieces.length} pieces${last === undefined ? '' : `, ${last.label}: ${around(last.text, file)}`}`
  })
  return maskSecrets(
    [
      `${kind} ${JSON.stringify(text)} [${material.owner}, ${policy.id}, call ${call}]`,
      `   written: ${kind === 'rule' ? '(must be there up to the last call)' : around(writtenBy(given, call), text)}`,
      ...sources.slice(-2).map((chunk) => {
        const { label, text: words } = pieceOf(chunk)
        return `   had by 1 of ${sources.length} (${label}, ${window.chunks.includes(chunk) ? 'still there' : 'gone'}): ${around(words, text)}`
      }),
      ...shown,
      ...named,
      `   left: ${left.length} pieces, ${left.reduce((sum, one) => sum + one.text.length, 0)} characters, ${window.markers.length} markers`,
      ...hitsOf(left, text, kind),
      ...(kind === 'path' ? placesOf(left, text) : []),
    ].join('\n'),
  )
}

/** The file that a call was about. */
function fileOf(call: string): string[] {
  const [file] = call.match(/[\w@.~-]*(?:\/[\w@.-]+)+\.\w+|\b[\w-]+\.(?:md|ts|rs|py|json)\b/) ?? []
  return file === undefined ? [] : [file]
}

function textsBySeq({ entries }: LabMaterial): Map<number, string> {
  return new Map(
    entries.map(({ fact, message }) => [fact.seq, message === null ? '' : entryText(message).text]),
  )
}

/** The digest that the library would write of what is before the cut. */
function digestOf(
  { entries }: LabMaterial,
  { chunks }: ReplaySession,
  { to, tokens }: NonNullable<CaseWindow['summary']>,
): string {
  const gone = new Set(chunks.entry.subarray(0, to))
  const messages = entries.flatMap(({ fact, message }) =>
    message !== null && gone.has(fact.seq) ? [message] : [],
  )
  return digest(messages, { budget: tokens, sizeOf: fastEstimate, mask: maskSecrets })
}

/** All that a call wrote: some runtimes keep an answer in several records. */
function writtenBy(
  { material, session }: { readonly material: LabMaterial; readonly session: ReplaySession },
  call: number,
): string {
  const { entry } = session.calls
  const next = entry[call + 1] ?? Number.POSITIVE_INFINITY
  return material.entries
    .filter(
      ({ fact, message }) =>
        message?.role === 'assistant' && fact.seq >= (entry[call] as number) && fact.seq < next,
    )
    .map(({ message }) => (message === null ? '' : entryText(message).text))
    .join('\n')
}

/** Where what is left has the text, in any case; of a long one its parts; else the rarest of its words. */
function hitsOf(left: readonly Piece[], text: string, kind: string): string[] {
  const parts = kind === 'copy' || kind === 'rule' ? slicesOf(text) : [text]
  const literal = parts.map((part) => left.filter((piece) => has(piece.text, part)))
  const found = literal.filter((pieces) => pieces.length > 0).length
  if (found > 0) {
    const [first] = parts.filter((_, i) => (literal[i]?.length ?? 0) > 0)
    const pieces = literal.find((one) => one.length > 0) ?? []
    return [
      `   found: ${found} of ${parts.length} parts; in ${pieces.length} pieces`,
      ...pieces.slice(-MOST_HITS).map((piece) => `     ${piece.label}: ${around(piece.text, first ?? text)}`),
    ]
  }
  const words = [...new Set(wordsOf(text))]
    .map((word) => ({ word, pieces: left.filter((piece) => has(piece.text, word)) }))
    .toSorted((a, b) => a.pieces.length - b.pieces.length)
  return [
    `   not found; its words: ${words.map(({ word, pieces }) => `${word} ${pieces.length}`).join(', ')}`,
    ...words
      .filter(({ pieces }) => pieces.length > 0)
      .slice(0, kind === 'copy' ? 2 : MOST_WORDS)
      .map(({ word, pieces }) => {
        const { label, text: whole } = pieces.at(-1) as Piece
        return `     ${word}: ${label}: ${around(whole, word)}`
      }),
  ]
}

/** Where what is left has the last part of a path, and the folder that it is in. */
function placesOf(left: readonly Piece[], path: string): string[] {
  const slash = path.lastIndexOf('/')
  if (slash <= 0) return []
  const parts = { name: path.slice(slash + 1), folder: path.slice(0, slash) }
  return Object.entries(parts).map(([what, part]) => {
    const pieces = left.filter((piece) => has(piece.text, part))
    const last = pieces.at(-1)
    return `   its ${what} ${part}: in ${pieces.length} pieces${last === undefined ? '' : `, ${last.label}: ${around(last.text, part)}`}`
  })
}

const SLICE = 40

function slicesOf(text: string): string[] {
  const slices: string[] = []
  for (let at = 0; at < text.length; at += 2 * SLICE) slices.push(text.slice(at, at + SLICE))
  return slices.filter((slice) => slice.length >= SLICE / 2)
}

function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word.length > 3 || /^\d{2,}$/.test(word))
}

/** Whether a text has a part that is no piece of a longer word. */
function has(text: string, part: string): boolean {
  const [whole, wanted] = [plain(text), plain(part)]
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const [before, after] = [whole[at - 1] ?? ' ', whole[at + wanted.length] ?? ' ']
    if (wanted.length >= SLICE || (!/[a-z0-9_]/.test(before) && !/[a-z0-9_]/.test(after))) return true
  }
  return false
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ')
}

/** Where a text has a part, as one line; its beginning where it has it in other letters. */
function around(text: string, part: string): string {
  const [whole, wanted] = [plain(text), plain(part).slice(0, SLICE)]
  const exact = whole.indexOf(wanted)
  const at = exact < 0 ? whole.indexOf(wanted.slice(wanted.lastIndexOf('/') + 1)) : exact
  const from = Math.max(0, at)
  const piece = text.replace(/\s+/g, ' ').slice(Math.max(0, from - AROUND), from + wanted.length + AROUND)
  return JSON.stringify(piece)
}
