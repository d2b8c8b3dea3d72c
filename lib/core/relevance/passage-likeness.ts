/** What a text has of a question, added up over the words of the question with their weights. */
export type PassageMatch = {
  /** All words of the question: what a text has that has everything. */
  readonly asked: number
  /** What the best passage has, and what the text has as a whole; each up to `asked`. */
  readonly passage: number
  readonly whole: number
  /** What the best passage has of words that tell something, and how many of them; a name counts twice. */
  readonly telling: number
  readonly words: number
  /** Blocks of the text, one or more: how long it is. */
  readonly blocks: number
}

/** How much the text around the passage counts. */
const WHOLE_SHARE = 0.35
/** Weight of words from which on half of what speaks for a text is believed. */
const HALF_BELIEVED = 3
/** A single common word, or two, may be there by chance. */
const [ONE_WORD, TWO_WORDS] = [0.4, 0.8]
/** Of equal passages the one in the shorter text comes first; no length costs more than the most. */
const [LENGTH_COST, MOST_LENGTH_COST] = [0.04, 0.16]
/** What is turned into one half: from there on a text is taken to have the answer. */
const ANSWERS = 0.28

/**
 * How much a text has to do with a question, 0 … 1: the share of the question that its best passage has, less where the
 * passage has little of it, and a little less for a long text. From 0.5 on, a text is likely to have the answer; where
 * that is, was measured (`npm run bench -- relevance`).
 */
export function passageLikeness({ asked, passage, whole, telling, words, blocks }: PassageMatch): number {
  if (asked <= 0) return 0
  const share = ((1 - WHOLE_SHARE) * passage + WHOLE_SHARE * whole) / asked
  const belief = telling / (telling + HALF_BELIEVED)
  const chance = words >= 3 ? 1 : words === 2 ? TWO_WORDS : ONE_WORD
  const length = 1 - Math.min(MOST_LENGTH_COST, LENGTH_COST * Math.log(blocks))
  const likeness = Math.min(1, Math.max(0, share * belief * chance * length))
  return likeness < ANSWERS ? (likeness / ANSWERS) * 0.5 : 0.5 + ((likeness - ANSWERS) / (1 - ANSWERS)) * 0.5
}
