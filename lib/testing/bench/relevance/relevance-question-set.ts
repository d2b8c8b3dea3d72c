import { estimateUnits } from '../../../core/tokens/estimate'
import byHand from './questions/by-hand.json'
import carried from './questions/carried.json'
import needsNothing from './questions/needs-nothing.json'
import { ruleQuestions } from './relevance-rule-questions'
import {
  drawOf,
  hexHashOf,
  holdsAnswer,
  type RelevanceQuestion,
  type RelevanceSession,
  squashed,
} from './relevance-sessions'

/** A prompt asked in a session that has nothing to bring back for it. */
export type RelevanceIdle = {
  readonly kind: 'elsewhere' | 'nothing'
  readonly session: string
  readonly ask: string
}

/** Weights and thresholds may be chosen by the questions of `tuning`; what counts is what holds for `held`. */
export type RelevancePart = 'tuning' | 'held'

export type RelevanceQuestionSet = {
  readonly sessions: readonly RelevanceSession[]
  readonly questions: readonly RelevanceQuestion[]
  readonly idle: readonly RelevanceIdle[]
}

/** Each prompt that needs nothing is asked in so many sessions. */
const IDLE_SESSIONS = 4

/** The whole set over the sessions of the corpus. @throws Error when a chunk is not the one that was asked about */
export function relevanceQuestionSet(sessions: readonly RelevanceSession[]): RelevanceQuestionSet {
  const hand = byHand.map(({ session, entry, sha, ask, answer }): RelevanceQuestion => {
    const chunk = sessions
      .find(({ name }) => name === session)
      ?.chunks.find(({ text }) => hexHashOf(text).startsWith(sha))
    if (chunk === undefined || !holdsAnswer(chunk, squashed(answer)))
      throw new Error(
        `“${ask}”: entry ${entry} of session “${session}” is no longer the chunk that was asked about.`,
      )
    return { kind: 'hand', session, ask, answer: squashed(answer) }
  })
  const questions = [...hand, ...ruleQuestions(sessions)]
  return { sessions, questions, idle: [...elsewhere(sessions, questions), ...nothing(sessions)] }
}

/** The smaller set, over texts that the project carries: questions by hand alone. */
export function carriedQuestionSet(): RelevanceQuestionSet {
  const name = 'carried'
  const chunks = carried.chunks.map(({ entry, text }) => ({ entry, text, tokens: estimateUnits(text) }))
  const questions = carried.questions.map(({ ask, answer }): RelevanceQuestion => {
    if (!chunks.some((chunk) => holdsAnswer(chunk, answer))) throw new Error(`No text answers “${ask}”.`)
    return { kind: 'hand', session: name, ask, answer }
  })
  return { sessions: [{ owner: name, name, chunks }], questions, idle: [] }
}

/** Half of everything, by chance that is the same everywhere. */
export function partOf({ ask, session }: { readonly ask: string; readonly session: string }): RelevancePart {
  return drawOf(`part ${session} ${ask}`) < 0.5 ? 'tuning' : 'held'
}

/** Each question once more, in a session of somebody else. */
function elsewhere(
  sessions: readonly RelevanceSession[],
  questions: readonly RelevanceQuestion[],
): RelevanceIdle[] {
  return questions.flatMap(({ ask, answer, session }) => {
    const owner = sessions.find(({ name }) => name === session)?.owner
    const others = sessions.filter((one) => one.owner !== owner)
    const other = others[Math.floor(drawOf(`elsewhere ${session} ${ask}`) * others.length)]
    if (other === undefined || other.chunks.some((chunk) => holdsAnswer(chunk, answer))) return []
    return [{ kind: 'elsewhere' as const, session: other.name, ask }]
  })
}

function nothing(sessions: readonly RelevanceSession[]): RelevanceIdle[] {
  return needsNothing.flatMap((ask) =>
    sessions
      .toSorted((a, b) => drawOf(`${ask} ${a.name}`) - drawOf(`${ask} ${b.name}`))
      .slice(0, IDLE_SESSIONS)
      .map(({ name }) => ({ kind: 'nothing' as const, session: name, ask })),
  )
}
