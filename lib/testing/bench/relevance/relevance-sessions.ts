import { createHash } from 'node:crypto'
import { contextChunks } from '../../../core/pruning/context-chunks'
import { estimateUnits } from '../../../core/tokens/estimate'
import { corpusSessions } from '../corpus-sessions'

/** A chunk of a session as it would be dropped: the entry that it begins with, and its text. */
export type RelevanceChunk = { readonly entry: string; readonly text: string; readonly tokens: number }

/** All chunks of a session: what a question is asked of. */
export type RelevanceSession = {
  readonly owner: string
  readonly name: string
  readonly chunks: readonly RelevanceChunk[]
}

/** A question and where its answer is: in the chunks of the session that hold the text `answer`. */
export type RelevanceQuestion = {
  readonly kind: 'rule' | 'hand'
  readonly session: string
  readonly ask: string
  /** White space as one space. */
  readonly answer: string
}

/** Sessions of the corpus in this folder, in chunks. Texts of one content are there once, as recovery has them. */
export function relevanceSessions(corpus: string): RelevanceSession[] {
  return corpusSessions(corpus).map(({ owner, name, messages }) => {
    const chunks = new Map<string, RelevanceChunk>()
    for (const { id, text } of contextChunks(messages.map((one) => ({ ...one, tokens: 0, at: null }))))
      if (!chunks.has(text)) chunks.set(text, { entry: id, text, tokens: estimateUnits(text) })
    return { owner, name: `${owner} ${name}`, chunks: [...chunks.values()] }
  })
}

/** SHA-256 of a text, in hexadecimal digits. */
export function hexHashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A number that looks like chance and is the same on every machine: 0 up to, not including, 1. */
export function drawOf(text: string): number {
  return Number.parseInt(hexHashOf(text).slice(0, 12), 16) / 2 ** 48
}

const flatTexts = new WeakMap<RelevanceChunk, string>()

/** Whether an answer, whose white space is as `squashed` makes it, is in a chunk. */
export function holdsAnswer(chunk: RelevanceChunk, answer: string): boolean {
  let flat = flatTexts.get(chunk)
  if (flat === undefined) {
    flat = squashed(chunk.text)
    flatTexts.set(chunk, flat)
  }
  return flat.includes(answer)
}

/** A text with each run of white space as one space: answers are looked for in this form. */
export function squashed(text: string): string {
  return text.replace(/\s+/g, ' ')
}
