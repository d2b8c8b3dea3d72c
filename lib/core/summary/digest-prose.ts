import { append } from '../lists/long-lists'
import { jsonText } from '../transcript/json'
import { isAsk, isDecision, isRule, mayHold, type Sentence, sentencesOf } from './sentences'
import type { SourceCall, SourceMessage } from './source-message'

/** Longest lines of what the user asked: the newest message, older ones, the first one. Characters. */
export const LINE_LIMITS = { newestAsk: 600, olderAsk: 300, goal: 400 } as const
/** So many messages of the user are quoted. */
export const ASKS = 3
/** Sentences that compete for a place; the newest are taken when there are more. */
const MOST_CANDIDATES = 120
/** Two sentences that share more than this part of their words say the same. */
const SAME = 0.6

/** What the session is about: its first request, and what the operator wants to see. */
export function goalLines(messages: readonly SourceMessage[], focus: string | undefined): string[] {
  const first = messages.find(({ role, text }) => role === 'user' && text.trim() !== '')
  return [
    ...(focus ? [`- In focus: ${flat(focus, LINE_LIMITS.goal)}`] : []),
    ...(first === undefined ? [] : [`- ${flat(first.text, LINE_LIMITS.goal)}`]),
  ]
}

/** The last requests of the user, newest first, and questions of theirs that came before. */
export function askLines(messages: readonly SourceMessage[]): string[] {
  const newest: string[] = []
  const before: Sentence[] = []
  for (let at = messages.length - 1; at >= 0 && before.length < MOST_CANDIDATES; at--) {
    const { role, text } = messages[at] as SourceMessage
    if (role !== 'user' || text.trim() === '') continue
    if (newest.length === 0) newest.push(`- Newest: ${flat(text, LINE_LIMITS.newestAsk)}`)
    else if (newest.length < ASKS) newest.push(`- ${flat(text, LINE_LIMITS.olderAsk)}`)
    else append(before, sentencesOf(text).filter(isAsk))
  }
  return [...newest, ...distinct(before).map(({ text }) => `- ${text}`)]
}

/** Rules that the user set, newest first. */
export function constraintLines(messages: readonly SourceMessage[]): string[] {
  return pick(messages, 'user', mayHold.rule, isRule)
}

/** What was decided and why, by either side, newest first. */
export function decisionLines(messages: readonly SourceMessage[]): string[] {
  return pick(messages, 'assistant', mayHold.decision, isDecision)
}

/** The agent's own list of tasks in its last state, and points that it still names as open. */
export function todoLines(messages: readonly SourceMessage[]): string[] {
  const list = lastPlan(messages)
  const items = list === null ? [] : todoItems(list.input)
  const texts: SourceMessage[] = []
  for (let i = messages.length - 1; i >= 0 && texts.length < LAST_ANSWERS; i--) {
    const message = messages[i] as SourceMessage
    if (message.role === 'assistant') texts.push(message)
  }
  const boxes = texts.flatMap(({ text }) => [...text.matchAll(OPEN_BOX)].map(([, what = '']) => what))
  const next = texts.flatMap(({ text }) => sentencesOf(text).filter(({ text: one }) => STILL_OPEN.test(one)))
  return [...new Set([...items, ...boxes, ...next.map(({ text }) => text)])].map(
    (one) => `- ${flat(one, 200)}`,
  )
}

/** In so many answers, points are looked for that are still open. */
const LAST_ANSWERS = 5

/** The last call of a tool with which an agent keeps its plan. */
function lastPlan(messages: readonly SourceMessage[]): SourceCall | null {
  for (let i = messages.length - 1; i >= 0; i--) {
    const found = messages[i]?.calls.findLast(({ name }) => PLAN_TOOLS.test(name))
    if (found !== undefined) return found
  }
  return null
}

/** Names of tools with which an agent keeps its plan. */
export const PLAN_TOOLS = /todo|update_plan|task_list|plan_update/i
const OPEN_BOX = /^\s*[-*] \[ \] (.{3,200})$/gm
const STILL_OPEN =
  /\b(next step|next, i|still (need|to do|open)|remaining|left to do|todo|not yet|i'll now|i will now)\b/i

/** Items of a task list in any of the shapes in use; done ones are left out. */
function todoItems(input: Readonly<Record<string, unknown>>): string[] {
  const list = Object.values(input).find(Array.isArray)
  if (list === undefined) return [flat(jsonText(input), 300)]
  return list.flatMap((item: unknown) => {
    if (typeof item === 'string') return item
    if (typeof item !== 'object' || item === null) return []
    const { status, content, step, text, title, description } = item as Record<string, unknown>
    if (status === 'completed' || status === 'done' || status === 'cancelled') return []
    const what = [content, step, text, title, description].find((value) => typeof value === 'string')
    return typeof what === 'string' ? `${what}${typeof status === 'string' ? ` (${status})` : ''}` : []
  })
}

function pick(
  messages: readonly SourceMessage[],
  role: SourceMessage['role'],
  mayBe: (text: string) => boolean,
  wanted: (sentence: Sentence) => boolean,
): string[] {
  const found: Sentence[] = []
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as SourceMessage
    if (message.role !== role || !mayBe(message.text)) continue
    append(found, sentencesOf(message.text).filter(wanted))
    if (found.length >= MOST_CANDIDATES) break
  }
  return distinct(found).map(({ text }) => `- ${text}`)
}

/** Sentences that say something new against those before them. */
function distinct(sentences: readonly Sentence[]): Sentence[] {
  const kept: { readonly sentence: Sentence; readonly words: ReadonlySet<string> }[] = []
  for (const sentence of sentences.slice(0, MOST_CANDIDATES)) {
    const words = new Set(sentence.text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
    if (!kept.some((other) => overlap(words, other.words) > SAME)) kept.push({ sentence, words })
  }
  return kept.map(({ sentence }) => sentence)
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared / Math.max(1, Math.min(one.size, other.size))
}

/** On one line, and no longer than so many characters. */
export function flat(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line
}
