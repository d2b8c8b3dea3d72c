/** A sentence or line of a text, without the marks of a list before it. */
export type Sentence = { readonly text: string; readonly question: boolean }

const [MIN_SENTENCE, MAX_SENTENCE] = [12, 400]
/** Sentences of one message that are examined; what is longer is data. */
const MAX_SENTENCES = 400

/** Splits prose at line ends and after `.`, `!` and `?`; code blocks are left out. Linear in the length. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let fenced = false
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string
    if (line.trimStart().startsWith('```')) fenced = !fenced
    else if (!fenced) addSentences(line, sentences)
    if (sentences.length >= MAX_SENTENCES) break
  }
  return sentences
}

function addSentences(line: string, sentences: Sentence[]): void {
  const clean = line.replace(/^[\s>#*+-]*(\d{1,3}[.)]\s+)?(\[[ xX]\]\s*)?/, '')
  if (clean.length > 20_000) return
  for (let start = 0; start < clean.length; ) {
    STOP.lastIndex = start
    const end = STOP.test(clean) ? STOP.lastIndex : clean.length
    const text = clean.slice(start, end).trim()
    if (text.length >= MIN_SENTENCE && text.length <= MAX_SENTENCE)
      sentences.push({ text, question: text.endsWith('?') })
    start = end
  }
}

/** What a sentence ends with. */
const STOP = /[.!?](?= |$)/g

const RULE =
  /\b(must|never|always|don't|do not|only|prefer|instead of|make sure|avoid|no need|required|should not|shouldn't|keep (the|it|all)|stick to)\b/i
const DECISION =
  /\b(decided|decision|going with|go with|instead of|root cause|because|fixed by|turns out|the (fix|problem|issue|cause) (is|was)|we('| wi)ll use|chose|chosen|settled on|switched to)\b/i
const REQUEST =
  /^(please|can you|could you|would you|let's|lets|add|fix|make|write|create|update|change|remove|delete|implement|refactor|rename|move|check|test|run|build|find|show|explain|review|look|use|try|continue|now|also|then|do|help|set up|figure out|investigate|debug)\b/i

/**
 * Whether a text may have such a sentence: where no part of the whole says it, none of its sentences does. They begin
 * and end where words do.
 */
export const mayHold = {
  rule: (text: string) => RULE.test(text),
  decision: (text: string) => DECISION.test(text),
} as const

/** A rule that is set. */
export function isRule({ text }: Sentence): boolean {
  return RULE.test(text)
}

/** A choice that was made, or why something is as it is. */
export function isDecision({ text }: Sentence): boolean {
  // What ends in a colon only announces it, and what begins like this only looks for it.
  return DECISION.test(text) && !text.endsWith(':') && !LOOKING.test(text)
}

const LOOKING = /^(let me|i'll|i will|let's|maybe|perhaps|now let)\b/i

/** A question, or something to be done. */
export function isAsk({ text, question }: Sentence): boolean {
  return question || REQUEST.test(text)
}
