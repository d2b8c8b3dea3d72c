import { spansOf } from '../relevance/spans'
import { fileLedger } from '../summary/file-ledger'
import { isDecision, isRule, type Sentence, sentencesOf } from '../summary/sentences'
import type { SourceMessage } from '../summary/source-message'
import { type Fact, type Relation, STATED_CONFIDENCE } from './fact'
import { oneLine } from './prompt-text'
import type { Task, TaskResult } from './task'

/** A fact before it has an id. */
export type FoundFact = Pick<Fact, 'content' | 'confidence' | 'source' | 'tags' | 'entities' | 'relation'>

/** What is worth remembering of a task; at most so many facts, the surest first. */
export const MOST_FACTS = 12
const [MIN_FACT, MAX_FACT] = [15, 400]
const [DECIDED, SET_BY_USER, FILES] = [0.8, 0.85, 0.7] as const
/** Names of one fact that are kept. */
const MOST_ENTITIES = 8
export const WORKING_MEMORY_TAG = 'working_memory'

/**
 * Facts of completed work, without a model: what its summary states about named things, what was decided, rules
 * that the user set, and the files that were changed. What tools returned is never a source: anybody can write there.
 * @param details messages of the work, where they are still at hand
 * @param isSecret text that must not be remembered
 */
export function extractFacts(
  task: Pick<Task, 'id' | 'title'>,
  result: Pick<TaskResult, 'summary' | 'artifacts'>,
  details: readonly SourceMessage[] = [],
  isSecret: (text: string) => boolean = () => false,
): FoundFact[] {
  const candidates = [
    ...sentencesOf(result.summary)
      .filter(isStatement)
      .map(({ text }) => ({ text, confidence: STATED_CONFIDENCE })),
    ...sentencesBy(details, 'user')
      .filter((sentence) => isRule(sentence) && !sentence.question)
      .map(({ text }) => ({ text, confidence: SET_BY_USER })),
    ...sentencesBy(details, 'assistant')
      .filter(isDecision)
      .map(({ text }) => ({ text, confidence: DECIDED })),
    ...changedFiles(task, details, result.artifacts),
  ]
  const facts = new Map<string, FoundFact>()
  for (const { text, confidence } of candidates) {
    const content = oneLine(text).slice(0, MAX_FACT)
    const key = content.toLowerCase()
    if (content.length < MIN_FACT || isSecret(content) || facts.has(key)) continue
    facts.set(key, factOf(content, confidence, task))
  }
  return [...facts.values()].toSorted((a, b) => b.confidence - a.confidence).slice(0, MOST_FACTS)
}

/** A fact that is stated as such. */
export function statedFact(
  content: string,
  {
    source,
    tags,
    confidence = STATED_CONFIDENCE,
  }: { source: string; tags: readonly string[]; confidence?: number },
): FoundFact {
  const text = oneLine(content)
  return { content: text, confidence, source, tags, entities: entitiesOf(text), relation: relationOf(text) }
}

function factOf(content: string, confidence: number, { id, title }: Pick<Task, 'id' | 'title'>): FoundFact {
  return statedFact(content, { source: `task:${id}`, tags: [WORKING_MEMORY_TAG, title], confidence })
}

/** The distinct names of a text, in the order in which they come. */
export function entitiesOf(text: string): string[] {
  return spansOf(text)
    .filter(({ kind }) => kind !== 'quoted')
    .map((span) => span.text)
    .slice(0, MOST_ENTITIES)
}

/** Statements of a summary that say something about something: a name, a value or a reason. */
function isStatement(sentence: Sentence): boolean {
  if (sentence.question) return false
  return isDecision(sentence) || spansOf(sentence.text).length > 0 || relationOf(sentence.text) !== null
}

function sentencesBy(messages: readonly SourceMessage[], role: SourceMessage['role']): Sentence[] {
  return messages.filter((message) => message.role === role).flatMap(({ text }) => sentencesOf(text))
}

function changedFiles(
  task: Pick<Task, 'title'>,
  details: readonly SourceMessage[],
  artifacts: readonly string[],
): { readonly text: string; readonly confidence: number }[] {
  const changed = [...fileLedger(details).values()]
    .filter(({ created, edits, deleted }) => (created || edits > 0) && !deleted)
    .map(({ path }) => path)
  const files = [...new Set([...artifacts, ...changed])].slice(0, MOST_ENTITIES)
  if (files.length === 0) return []
  return [{ text: `"${oneLine(task.title)}" left behind: ${files.join(', ')}`, confidence: FILES }]
}

const VERBS =
  '(?:is|are|was|were|uses|use|runs on|run on|runs|listens on|lives in|lives at|stands in|requires|needs|equals|defaults to|points to|depends on|belongs to)'
const RELATION = new RegExp(`^(?:the |our |its )?(.{2,60}?) (${VERBS}) (?:now )?(.{1,200})$`, 'i')
const SETTING = /^([\w.[\]/-]{2,60})\s*(=|:)\s*(\S.{0,200})$/

/** Subject, verb and object of a plain statement; null for anything else. */
export function relationOf(text: string): Relation | null {
  const clean = oneLine(text).replace(/[.!]$/, '')
  const [, subject, verb, object] = SETTING.exec(clean) ?? RELATION.exec(clean) ?? []
  if (subject === undefined || verb === undefined || object === undefined) return null
  // A clause in the subject is no name of a thing.
  if (/[,;:]/.test(subject) || subject.split(' ').length > 6) return null
  return {
    subject: subject.toLowerCase().replace(/ (?:now|currently|always)$/, ''),
    verb: verbOf(verb),
    object: object.toLowerCase(),
  }
}

function verbOf(verb: string): string {
  const lower = verb.toLowerCase()
  return ['=', ':', 'is', 'are', 'was', 'were', 'equals'].includes(lower)
    ? 'is'
    : lower.replace(/^(use|run)\b/, '$1s')
}
