import type { Checkpoint } from '../../core/memory/checkpoint'
import { confidenceAt, type Fact, type FactState, stateAt } from '../../core/memory/fact'
import type { FlushState } from '../../core/memory/flush'
import type { MemoryEvent } from '../../core/memory/memory-event'
import type { TaskTree } from '../../core/memory/task'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Milliseconds, Tokens } from '../../core/units/units'
import { formatCount, formatQuantity } from '../text/format'
import { maskedFact } from './masked-fact'
import { maskedLine, pressingLines, type TaskLine, type TaskSums, taskLines, taskSums } from './task-lines'

/** Facts on a page; more are found by searching. */
export const MEMORY_FACTS = 100
/** Events on a page, newest first. */
export const MEMORY_EVENTS = 50
/** Sessions of which tasks and checkpoints are shown on a page: those written last. */
export const MEMORY_SESSIONS = 10
/** Tasks of one tree on a page. `plimsoll tasks` has all. */
const MOST_LINES = 40
/** Characters of what a task came to, and of a checkpoint. */
const [MOST_RESULT, MOST_CHECKPOINT] = [400, 1_200]

export type FactRow = {
  readonly id: string
  readonly content: string
  /** A credential in it is covered; such a text cannot be edited here. */
  readonly isMasked: boolean
  readonly state: FactState
  /** Today, in percent. */
  readonly sure: number
  readonly source: string
  readonly scope: string | null
  readonly tags: readonly string[]
  readonly replacedBy: string | null
  /** Milliseconds since the epoch. */
  readonly confirmedAt: number
}

type CheckpointRow = {
  readonly id: string
  readonly at: number
  readonly covered: number
  readonly tokens: Tokens
  readonly summary: string
}

/** What is remembered of a conversation besides its tasks. */
export type ConversationRow = {
  readonly session: string
  readonly turns: number | null
  readonly compactions: number | null
  /** The line at which the agent was asked last to save its memory; null when it was not, in this cycle. */
  readonly asked: number | null
  readonly saved: boolean
  readonly checkpoints: readonly CheckpointRow[]
}

export type TreeView = {
  readonly session: string
  /** Those that matter most now, in the order of the tree. */
  readonly lines: readonly TaskLine[]
  readonly hidden: number
  readonly sums: TaskSums
}

/** A line of the log of memories. */
export type EventRow = {
  readonly key: string
  readonly at: number
  readonly session: string
  readonly kind: MemoryEvent['kind']
  readonly what: string
  /** What was recalled, with its score. */
  readonly placed: readonly {
    readonly key: string
    readonly source: string
    readonly score: string
    readonly cut: boolean
    readonly text: string
  }[]
}

export type MemoryView = {
  readonly query: string
  /** Where facts are kept, and what is wrong there. */
  readonly store: string
  readonly facts: readonly FactRow[]
  /** More than are shown. */
  readonly hasMoreFacts: boolean
  readonly trees: readonly TreeView[]
  readonly conversations: readonly ConversationRow[]
  /** Sessions with tasks, and conversations, those that are not shown included. */
  readonly totals: { readonly trees: number; readonly conversations: number }
  readonly events: readonly EventRow[]
  /** More than are shown. */
  readonly hasMoreEvents: boolean
  readonly folders: readonly { readonly path: string; readonly found: boolean }[]
  readonly problems: readonly string[]
}

/** What became of a fact that was added by hand. @param name after "as"; null where it is not shown */
export function addedWords({
  isNew,
  name,
}: {
  readonly isNew: boolean
  readonly name: string | null
}): string {
  return `${isNew ? 'Remembered' : 'Known already, and confirmed'}${name === null ? '' : ` as ${name}`}.`
}

export function factRow(fact: Fact, now: Milliseconds): FactRow {
  const { id, content, source, scope, tags, replacedBy, confirmedAt } = maskedFact(fact)
  return {
    id,
    content,
    isMasked: content !== fact.content,
    state: stateAt(fact, now),
    sure: Math.round(confidenceAt(fact, now) * 100),
    source,
    scope,
    tags,
    replacedBy,
    confirmedAt,
  }
}

export function treeView({ session, tree }: { readonly session: string; readonly tree: TaskTree }): TreeView {
  const all = taskLines(tree)
  const lines = pressingLines(all, MOST_LINES).map((line) => {
    const { summary, ...rest } = maskedLine(line)
    return { ...rest, summary: summary === null ? null : shortened(summary, MOST_RESULT) }
  })
  return { session, lines, hidden: all.length - lines.length, sums: taskSums(all) }
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).trimEnd()} …` : text
}

export function conversationRow(remembered: {
  readonly session: string
  readonly state: { readonly flush: FlushState; readonly turns: number; readonly compactions: number } | null
  readonly checkpoints: readonly Checkpoint[]
}): ConversationRow {
  const { session, state, checkpoints } = remembered
  return {
    session,
    turns: state?.turns ?? null,
    compactions: state?.compactions ?? null,
    asked: state === null || state.flush.prompted === 0 ? null : state.flush.prompted,
    saved: state?.flush.actioned ?? false,
    checkpoints: checkpoints.toReversed().map(({ id, at, covered, tokens, body }) => ({
      id,
      at,
      covered,
      tokens,
      summary: shortened(maskSecrets(body.summary), MOST_CHECKPOINT),
    })),
  }
}

/** @param events newest first; a row keeps its key when newer ones come */
export function eventRows(events: readonly MemoryEvent[]): EventRow[] {
  const seen = new Map<string, number>()
  const rows = events.toReversed().map((event) => {
    const name = `${event.at} ${event.kind} ${event.session}`
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return eventRow(event, `${name} ${before}`)
  })
  return rows.toReversed()
}

export function eventRow(event: MemoryEvent, key: string): EventRow {
  const placed = event.kind === 'recall' ? event.placed : []
  return {
    key,
    at: event.at,
    session: event.session,
    kind: event.kind,
    what: maskSecrets(whatOf(event)),
    placed: placed.map(({ source, score, cut, text }, place) => ({
      key: `${place} ${source}`,
      source: maskSecrets(source),
      score: score.toFixed(2),
      cut,
      text: maskSecrets(text),
    })),
  }
}

/** The words of the kinds of events, for badges. */
export const EVENT_WORDS: { readonly [K in MemoryEvent['kind']]: string } = {
  recall: 'recall',
  flush: 'asked to save',
  saved: 'saved',
  checkpoint: 'checkpoint',
  knowledge: 'knowledge',
  completed: 'task done',
}

function whatOf(event: MemoryEvent): string {
  switch (event.kind) {
    case 'recall': {
      const { placed, left, tokens, budget, prompt, problem } = event
      if (problem !== undefined) return `For “${prompt}”: ${problem}`
      const found =
        placed.length === 0
          ? `nothing ${left > 0 ? 'had room' : 'was like enough'}`
          : `${formatQuantity(placed.length, 'piece')}, ${formatCount(tokens)}\u202f≈ of ${formatCount(budget)} tokens`
      const without = left > 0 ? `, ${formatCount(left)} without room` : ''
      return `For “${prompt}”: ${found}${without}`
    }
    case 'flush':
      return `At ${percent(event.line)} of the window, as ${event.delivery === 'own turn' ? 'a separate turn' : `a ${event.delivery} message`}`
    case 'saved':
      return 'The agent wrote to its memory after it was asked to'
    case 'checkpoint':
      return `${formatCount(event.tokens)}\u202f≈ tokens in place of ${formatCount(event.covered)}\u202f≈`
    case 'knowledge':
      return `${formatQuantity(event.facts.length, 'fact')} recalled for ${event.task}`
    case 'completed': {
      const { task, added, confirmed, contradicted, clearedResults, clearedTokens } = event
      const learned = `${formatQuantity(added, 'fact')} learned, ${formatCount(confirmed)} confirmed, ${formatCount(contradicted)} replaced`
      const away = `${formatQuantity(clearedResults, 'result')} archived (${formatCount(clearedTokens)}\u202f≈ tokens)`
      return `${task}: ${learned}; ${clearedResults === 0 ? 'no results to archive' : away}`
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
