import 'server-only'
import { existsSync } from 'node:fs'
import { openKnowledge, readAgentMemories } from '../../compose/memory'
import { maskSecrets } from '../../core/redaction/secrets'
import type { FactEdit, KnowledgeBase } from '../../engine/knowledge/knowledge-base'
import type { DoneAnswer } from '../../view/actions/action-answer'
import {
  addedWords,
  conversationRow,
  eventRows,
  factRow,
  MEMORY_EVENTS,
  MEMORY_FACTS,
  MEMORY_SESSIONS,
  type MemoryView,
  treeView,
} from '../../view/memory/memory'
import { formatQuantity } from '../../view/text/format'
import { DatabaseUnavailableError, getDatabase } from '../process/database'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'

type Kept = {
  readonly settings: string
  readonly opening: Promise<KnowledgeBase>
  /** What its store said last; null while all is well. */
  notice: string | null
}

/** One connection for as long as the settings name the same store: what it remembers of failures is worth keeping. */
const state = oncePerProcess('knowledge', (): { kept: Kept | null } => ({ kept: null }))

function keptKnowledge(): Kept {
  const setup = getSetup()
  const settings = JSON.stringify([setup.settings.knowledge, setup.environment.databaseUrl])
  if (state.kept?.settings === settings) return state.kept
  const kept: Kept = { settings, opening: open(), notice: null }
  kept.opening.catch(() => {
    if (state.kept === kept) state.kept = null
  })
  state.kept = kept
  return kept

  async function open(): Promise<KnowledgeBase> {
    await getDatabase()
    const opened = await openKnowledge(setup, process.env, (message) => {
      kept.notice = message.includes('cannot be used') ? message : null
    })
    if (!opened.ok) throw new DatabaseUnavailableError(opened.message)
    return opened.knowledge
  }
}

/** What agents remember: facts (those that fit the words), tasks, conversations, and what their memories did. */
export async function getMemory(query: string): Promise<MemoryView> {
  const kept = keptKnowledge()
  const knowledge = await kept.opening
  const now = Date.now()
  const found = await knowledge.search(query, MEMORY_FACTS + 1)
  const memories = await readAgentMemories(getSetup(), {
    events: MEMORY_EVENTS + 1,
    sessions: MEMORY_SESSIONS,
  })
  return {
    query,
    store: knowledge.name,
    facts: found.slice(0, MEMORY_FACTS).map(({ fact }) => factRow(fact, now)),
    hasMoreFacts: found.length > MEMORY_FACTS,
    trees: memories.tasks.map(treeView),
    conversations: memories.sessions.map(conversationRow),
    totals: { trees: memories.totals.tasks, conversations: memories.totals.sessions },
    events: eventRows(memories.events.slice(0, MEMORY_EVENTS)),
    hasMoreEvents: memories.events.length > MEMORY_EVENTS,
    folders: memories.folders.map((path) => ({ path, found: existsSync(path) })),
    problems: [...(kept.notice === null ? [] : [kept.notice]), ...memories.problems],
  }
}

/** Remembers a fact of the operator. */
export async function addFact(content: string): Promise<DoneAnswer> {
  const knowledge = await keptKnowledge().opening
  const done = await knowledge.add(content, { source: 'operator' })
  if (!done.ok) return { kind: 'refused', problem: done.problem }
  const { added, contradicted } = done.learned
  const replaced =
    contradicted.length > 0 ? ` It replaces ${formatQuantity(contradicted.length, 'fact')}.` : ''
  return { kind: 'done', message: `${addedWords({ isNew: added.length > 0, name: null })}${replaced}` }
}

export async function editFact(id: string, edit: FactEdit): Promise<DoneAnswer> {
  const knowledge = await keptKnowledge().opening
  const done = await knowledge.edit(id, edit)
  return done.ok ? { kind: 'done', message: 'Changed.' } : { kind: 'refused', problem: done.problem }
}

export async function forgetFact(id: string): Promise<DoneAnswer> {
  const knowledge = await keptKnowledge().opening
  const [forgotten] = await knowledge.forget([id])
  if (forgotten === undefined) return { kind: 'refused', problem: 'It was gone already.' }
  // The words are the only way back.
  return { kind: 'done', message: `Forgotten for good: “${maskSecrets(forgotten.content)}”` }
}
