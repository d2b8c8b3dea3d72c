import type { EntryCategory } from '../../tokens/category'
import type { JsonObject } from '../json'

/**
 * What a line of another runtime says that pi's form has no word for. Under a symbol, which no JSON holds: no transcript
 * can claim it.
 */
export const SAID: unique symbol = Symbol('said')

export type Said = {
  /** What its text counts as. */
  readonly category?: EntryCategory
  /** A text that the client sent along and wrote nowhere, as far as it is known: it has a size, and is no part of the entry. */
  readonly sentAlong?: string
  /** An answer that the client wrote in place of the model: sent, though no call was made. */
  readonly clientWritten?: true
  /** For the reader only: it was never sent to a model. */
  readonly transcriptOnly?: true
  /** Header: several records of one response are one branch, whichever of them is named as a parent. */
  readonly joins?: true
  /** Header: the session is a sub-agent of the one with this id. */
  readonly agentOf?: string
  /** The folder that is worked in. */
  readonly cwd?: string
  /** The output that is reported is one of an answer that was not finished. */
  readonly outputUnsure?: true
  /** A compaction whose summary, if it has one, is an entry behind it. */
  readonly bare?: true
  /** Of a compaction: the user asked for it. */
  readonly asked?: true
  /** Of a compaction: the last entry that is kept, and the one behind which those are sent. Ids. */
  readonly keptUpTo?: string
  readonly keptAfter?: string
  /** Sizes of the part before the conversation, from here on. */
  readonly fixed?: { readonly system: string; readonly tools: string }
  /** The model's window in tokens, as the client takes it. */
  readonly window?: number
  /** Tokens that were billed to the session so far. */
  readonly billed?: number
}

/** An entry in pi's form that was made of a line of another runtime. */
export type TranslatedEntry = JsonObject & { readonly [SAID]?: Said }

/** Where a line is, as far as a translation depends on it. */
export type LineContext = {
  /** It is the first entry of its transcript. */
  readonly first: boolean
  /** The transcript is a sub-agent's alone. */
  readonly ofAgent: boolean
}

/**
 * The entries of one line of another runtime's transcript, in order; none where the line holds nothing of the
 * conversation. Pure, and without a memory of other lines.
 */
export type Translate = (line: JsonObject, context: LineContext) => readonly TranslatedEntry[]

/** What a translated entry says besides. */
export function saidOf(entry: JsonObject): Said {
  return (entry as TranslatedEntry)[SAID] ?? NOTHING
}

const NOTHING: Said = {}
