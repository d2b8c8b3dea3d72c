/**
 * What findings compare texts by: fingerprints of an entry's texts, no texts. They are made while an entry is read, of
 * a bounded part of it, and are not kept with it.
 */
export type TextMarks = {
  /** Rules that the user set in it. */
  readonly rules?: readonly RuleMark[] | undefined
  /** Of a summary, or of its part that could be read. */
  readonly summary?: SummaryMark | undefined
  /** Calls that read or change files, or search. */
  readonly fetches?: readonly FetchMark[] | undefined
}

/** Marks of one shape, whatever there is of them. */
export function marksOf({ rules, summary, fetches }: TextMarks): TextMarks {
  return { rules, summary, fetches }
}

/** A sentence of the user that says what always or never to do. */
export type RuleMark = {
  /** Hashes of its telling words, each once. */
  readonly words: readonly number[]
  /** Its beginning, for a reader. */
  readonly begin: string
}

export type SummaryMark = {
  /** Hashes of all its words, names also by their parts. */
  readonly words: readonly number[]
  /** Hashes of its sentences and lines, each once. */
  readonly sentences: readonly number[]
}

/** What a call fetches or changes. Numbers are hashes. */
export type FetchMark = {
  readonly callId: string
  readonly does: 'read' | 'write'
  /** Of tool and arguments. */
  readonly key: number
  /** Of the file's name without its folders, or of what was searched for; 0: of nothing that has a name. */
  readonly name: number
  /** Of the file's path where all of it is read; 0: only a part, or no file. */
  readonly path: number
  /** Runtimes send or read it again without being asked: workspace files, memory, skills. */
  readonly isHosts?: true | undefined
  /** It is a file of rules for agents, in the folder that this is the hash of. */
  readonly rulesIn?: number | undefined
}

/** FNV-1a of nothing, as an integer with a sign. */
const NO_TEXT = 0x811c9dc5 | 0
const PRIME = 0x01000193

/** FNV-1a of a text, in 32 bits with a sign: numbers of this size are kept in place, larger ones as objects. */
export function fingerprintOf(text: string): number {
  return fingerprintWith(NO_TEXT, text)
}

/** The fingerprint of a text and what comes behind it, without putting them together. */
export function fingerprintWith(begun: number, text: string): number {
  let hash = begun
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash
}
