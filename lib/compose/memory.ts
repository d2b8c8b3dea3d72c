import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { listRemembered, type Remembered } from '../adapters/memory/agent-memory-folder'
import { readMemoryEvents } from '../adapters/memory/memory-event-log'
import { memoryFiles } from '../adapters/memory/memory-files'
import { recallJournal } from '../adapters/memory/recall-journal'
import { surrealServer } from '../adapters/memory/surreal-connection'
import { surrealFacts } from '../adapters/memory/surreal-facts'
import { listTasks, type SessionTasks } from '../adapters/memory/task-folder'
import type { MemoryEvent } from '../core/memory/memory-event'
import type { Policy } from '../core/policy/policy'
import { reasonOf } from '../core/words/reason-of'
import type { FactMirror, FactStore } from '../engine/knowledge/fact-store'
import { KnowledgeBase } from '../engine/knowledge/knowledge-base'
import { mirroredFacts } from '../engine/knowledge/mirrored-facts'
import { RecallLibrary } from '../engine/knowledge/recall-library'
import { recallCold, recallSessions } from '../engine/knowledge/recall-places'
import { coldPlaces } from './cold/cold'
import { findStores, migrateDatabase, type Setup, type Variables } from './open'
import { openPolicies } from './policy/policies'
import { namedWorkspaces } from './stores/workspaces'

/** Below the state folder: what agents remember that were given no folder. */
const FOLDER = 'memory'

/** Where agents that use the library keep tasks, checkpoints and events: ours, named folders, and one per workspace. */
function memoryFolders({ environment, settings }: Setup): string[] {
  const ofWorkspaces = settings.workspaces.map((workspace) => join(workspace, 'memory', 'context'))
  return [...new Set([join(environment.home, FOLDER), ...settings.agentMemory, ...ofWorkspaces])]
}

export type OpenedKnowledge =
  | { readonly ok: true; readonly knowledge: KnowledgeBase; readonly close: () => void }
  | { readonly ok: false; readonly reason: 'newer' | 'changed' | 'failed'; readonly message: string }

/**
 * Long-term memory: the project's own database, or a SurrealDB where the settings name one, with the database beside it
 * for when that is down.
 * @param onNotice is called when the server goes down and when it is back
 */
export async function openKnowledge(
  setup: Setup,
  variables: Variables,
  onNotice: (message: string) => void,
): Promise<OpenedKnowledge> {
  const migrated = await migrateDatabase(setup.environment)
  if (!migrated.ok) return migrated
  const { openConnection } = await import('../db/open-connection')
  const { factRows } = await import('../db/commands/facts')
  const connection = openConnection(migrated.file)
  const mirrors = setup.settings.knowledge.surrealdb !== null
  const store = factStore(setup, variables, factRows(connection, { mirrors }), onNotice)
  const newId = () => `${Date.now().toString(36)}${randomBytes(4).toString('hex')}`
  return {
    ok: true,
    knowledge: new KnowledgeBase({ store, clock: { now: Date.now }, newId }),
    close: () => connection.close(),
  }
}

function factStore(
  { settings }: Setup,
  variables: Variables,
  own: FactMirror,
  onNotice: (message: string) => void,
): FactStore {
  const { surrealdb } = settings.knowledge
  if (surrealdb === null) return own
  const { url, namespace, database, username, passwordEnv, timeoutSeconds } = surrealdb
  const password = variables[passwordEnv] ?? null
  const server = surrealServer({
    url,
    namespace,
    database,
    username,
    password,
    timeoutMs: timeoutSeconds * 1000,
  })
  return mirroredFacts(surrealFacts(server), own, { now: Date.now, onNotice })
}

/**
 * Everything that can be recalled on this machine; the index is in the state folder. Keep one per process.
 * @param policies those whose cold storage counts
 */
export async function openRecall(
  setup: Setup,
  variables: Variables,
  policies: readonly Policy[],
): Promise<RecallLibrary> {
  const { stores } = await findStores(setup, variables, null)
  const documents = await openPolicies(setup, stores).documents()
  return new RecallLibrary({
    places: [
      ...namedWorkspaces(setup, documents, stores).map(({ folder }) => memoryFiles(folder)),
      ...coldPlaces(setup, policies).map(({ store, now }) => recallCold(store, now)),
      oldSessions(setup, variables),
    ],
    journal: recallJournal(join(setup.environment.home, FOLDER, 'recall.jsonl')),
    now: () => performance.now(),
    pause: (ms) => wait(ms, undefined, { ref: false }),
  })
}

function oldSessions(setup: Setup, variables: Variables): ReturnType<typeof recallSessions> {
  return {
    list: async () => {
      const { stores, reader } = await findStores(setup, variables, null)
      const find = async () => {
        const found = []
        for (const store of stores)
          if (store.state === 'ok')
            for await (const transcript of reader.list(store)) found.push({ store, transcript })
        return found
      }
      try {
        return await recallSessions({ reader, find, now: Date.now }).list()
      } catch (error) {
        const why = reasonOf(error)
        return { sources: [], problems: [why], unseen: ['session:'] }
      }
    },
  }
}

/** What agents keep in memory folders, for display. */
export type AgentMemories = {
  readonly folders: readonly string[]
  readonly sessions: readonly Remembered[]
  readonly tasks: readonly SessionTasks[]
  /** Newest first. */
  readonly events: readonly MemoryEvent[]
  /** Conversations and sessions with tasks, those that were not read included. */
  readonly totals: { readonly sessions: number; readonly tasks: number }
  readonly problems: readonly string[]
}

/** How much is read: events, and of sessions those that were written last, of each folder some. */
export type MemoryLimits = { readonly events: number; readonly sessions?: number }

export async function readAgentMemories(setup: Setup, limits: MemoryLimits): Promise<AgentMemories> {
  const folders = memoryFolders(setup)
  const all = await Promise.all(folders.map((folder) => readFolder(folder, limits)))
  const sumOf = (of: 'sessions' | 'tasks') => all.reduce((sum, { totals }) => sum + totals[of], 0)
  return {
    folders,
    sessions: shared(
      all.map(({ sessions }) => sessions),
      limits.sessions,
    ),
    tasks: shared(
      all.map(({ tasks }) => tasks),
      limits.sessions,
    ),
    events: all
      .flatMap(({ events }) => events)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, limits.events),
    totals: { sessions: sumOf('sessions'), tasks: sumOf('tasks') },
    problems: all.flatMap(({ problems }) => problems),
  }
}

/** Takes from each list in turn, so that no folder crowds out the others. */
function shared<T>(lists: readonly (readonly T[])[], most = Number.POSITIVE_INFINITY): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const rounds = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1)))
  return rounds.flat().slice(0, most)
}

async function readFolder(folder: string, limits: MemoryLimits): Promise<Omit<AgentMemories, 'folders'>> {
  try {
    const remembered = await listRemembered(folder, limits.sessions)
    const tasks = await listTasks(folder, limits.sessions)
    const { events, broken } = await readMemoryEvents(folder, limits.events)
    const torn =
      broken === 0
        ? []
        : [`${folder}: ${broken} ${broken === 1 ? 'line' : 'lines'} of events cannot be read.`]
    return {
      sessions: remembered.sessions,
      tasks: tasks.sessions,
      events,
      totals: { sessions: remembered.total, tasks: tasks.total },
      problems: [...remembered.problems, ...tasks.problems, ...torn],
    }
  } catch (error) {
    const why = reasonOf(error)
    const nothing = { sessions: [], tasks: [], events: [], totals: { sessions: 0, tasks: 0 } }
    return { ...nothing, problems: [`${folder} cannot be read: ${why}`] }
  }
}
