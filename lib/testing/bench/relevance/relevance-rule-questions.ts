import {
  drawOf,
  type RelevanceChunk,
  type RelevanceQuestion,
  type RelevanceSession,
  squashed,
} from './relevance-sessions'

/** Questions that the rules make of all sessions together. */
const QUESTIONS = 240
/** Sizes of chunks that are asked about. Tokens. */
const [LEAST, MOST] = [50, 5000]
/** A passage is so many lines. */
const PASSAGE_LINES = 3
/** A word in a larger share of the chunks of its session says nothing about one of them. */
const COMMON_SHARE = 0.1

/** Ways to ask for four things, in ordinary words. */
const FORMS: readonly ((a: string, b: string, c: string, d: string) => string)[] = [
  (a, b, c, d) => `What did we find out about ${a}, ${b} and the ${c} ${d}?`,
  (a, b, c, d) => `How was that again with the ${a} and the ${b} ${c} ${d}?`,
  (a, b, c, d) => `Tell me once more what the ${a} had to do with ${b}, ${c} and ${d}.`,
  (a, b, c, d) => `Where exactly did ${a} and ${b} come up together with ${c} ${d}?`,
  (a, b, c, d) => `Do you remember the ${a} ${b} in connection with ${c} and ${d}?`,
  (a, b, c, d) => `I need the part about ${a} and ${b} again, the one with ${c} or ${d}.`,
]

/** Questions by rule (README.md in `questions`): the same ones on every machine. */
export function ruleQuestions(sessions: readonly RelevanceSession[]): RelevanceQuestion[] {
  const made = sessions.flatMap((session) => {
    const holders = holdersOf(session.chunks)
    return session.chunks.flatMap((chunk) => {
      const question =
        LEAST <= chunk.tokens && chunk.tokens <= MOST ? questionOf(session, chunk, holders) : null
      return question === null ? [] : [question]
    })
  })
  const drawn = made
    .map((question) => ({ question, draw: drawOf(`drawn ${question.ask}`) }))
    .sort((a, b) => a.draw - b.draw)
  return drawn.slice(0, QUESTIONS).map(({ question }) => question)
}

function questionOf(
  session: RelevanceSession,
  chunk: RelevanceChunk,
  holders: ReadonlyMap<string, number>,
): RelevanceQuestion | null {
  const lines = chunk.text.split('\n').filter((line) => line.trim() !== '')
  const start = Math.floor(drawOf(`passage ${chunk.text}`) * Math.max(1, lines.length - PASSAGE_LINES + 1))
  const passage = lines.slice(start, start + PASSAGE_LINES).join('\n')
  const common = Math.max(3, session.chunks.length * COMMON_SHARE)
  const words = [...new Set(plainWords(passage))].filter((word) => (holders.get(word) ?? 0) <= common)
  const drawn = words
    .map((word) => ({ word, draw: drawOf(`${word} ${chunk.text}`) }))
    .sort((a, b) => a.draw - b.draw)
  const [a, b, c, d] = drawn.slice(0, 4).map(({ word }, i) => (i < 2 ? otherNumber(word) : word))
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null
  const form = FORMS[Math.floor(drawOf(`form ${chunk.text}`) * FORMS.length)]
  if (form === undefined) return null
  return { kind: 'rule', session: session.name, ask: form(a, b, c, d), answer: squashed(passage) }
}

/** In how many chunks each word is. */
function holdersOf(chunks: readonly RelevanceChunk[]): Map<string, number> {
  const holders = new Map<string, number>()
  for (const { text } of chunks)
    for (const word of new Set(plainWords(text))) holders.set(word, (holders.get(word) ?? 0) + 1)
  return holders
}

/** What of a text reads like words: names in their parts, in lower case, with a vowel, of a usual length. */
function plainWords(text: string): string[] {
  const parts = text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').match(/[A-Za-z]+/g) ?? []
  return parts.map((part) => part.toLowerCase()).filter((word) => /^(?=.*[aeiouy])[a-z]{4,14}$/.test(word))
}

/** One thing as several, several as one: a person does not remember the form. */
function otherNumber(word: string): string {
  if (word.endsWith('ss')) return word
  if (word.endsWith('s')) return word.slice(0, -1)
  return /(?:ed|ing|ly|y)$/.test(word) ? word : `${word}s`
}
