import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { overdueRuleOf } from '../../adapters/archive/deletion-rules'
import { folderSize } from '../../adapters/files/folder-size'
import { leftLock } from '../../adapters/locks/left-locks'
import type { FolderGrowth, StoreFacts, StoreSession } from '../../core/findings/stores/store-facts'
import type { Policy } from '../../core/policy/policy'
import type { Milliseconds } from '../../core/units/units'
import type { JudgedTranscript } from '../../db/queries/judged-sessions'
import type { FoundStore } from '../../engine/read/ports'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { deletionOf } from '../archive'
import { coldFolder } from '../cold/cold-folder'
import { openPolicies } from '../policy/policies'
import { policiesOfStores } from '../policy/policy-sources'
import type { Setup } from '../setup'

/** A store with all transcripts in it that can be read. */
export type JudgedStore = { readonly store: FoundStore; readonly transcripts: readonly JudgedTranscript[] }

/** Stores that are not empty, from their listing. */
export function judgedStores(listed: readonly StoredTranscript[]): JudgedStore[] {
  const judged = new Map<string, { readonly store: FoundStore; readonly transcripts: JudgedTranscript[] }>()
  for (const { store, transcript } of listed) {
    const one = judged.get(store.id) ?? { store, transcripts: [] }
    judged.set(store.id, one)
    if (transcript.problem !== undefined) continue
    const { stamp, index, ...known } = transcript
    one.transcripts.push({ ...known, isIndexed: index !== null, mtimeMs: stamp.mtimeMs, bytes: stamp.size })
  }
  return [...judged.values()]
}

/** What is judged of each store as a whole, from its transcripts and the folders that they are in. */
export async function storeFacts(
  setup: Setup,
  judged: readonly JudgedStore[],
  now: Milliseconds,
): Promise<StoreFacts[]> {
  const examine = await openStoreFacts(
    setup,
    judged.map(({ store }) => store),
  )
  const facts: StoreFacts[] = []
  for (const one of judged) facts.push(await examine.factsOf(one, now))
  return facts
}

/** Looks at stores one by one, by the policies as they are now. */
type StoreExaminer = {
  factsOf(judged: JudgedStore, now: Milliseconds): Promise<StoreFacts>
  /** Folders beside those of its transcripts that are looked into. */
  besides(store: FoundStore): readonly string[]
}

export async function openStoreFacts(setup: Setup, stores: readonly FoundStore[]): Promise<StoreExaminer> {
  const { environment, settings } = setup
  const documents = await openPolicies(setup, stores)
    .documents()
    .catch(() => [])
  const locks = lockNames()
  const factsOf: StoreExaminer['factsOf'] = async ({ store, transcripts }, now) => {
    const deletion = deletionOf(environment, store)
    const isFile = store.era === 'jsonl'
    const sessions: StoreSession[] = []
    for (const { id, sessionId, agent, path, state, mtimeMs, isIndexed } of transcripts) {
      const isDeletable = isFile && state !== 'gone' && mtimeMs !== null
      sessions.push({
        ...{ transcriptId: id, sessionId, agent, path },
        deletion: isDeletable ? (deletion?.({ path, state, mtimeMs, isIndexed }) ?? null) : null,
        lock: isFile && (await locks(path)) ? lockBeside(path, now) : null,
      })
    }
    const [policy] = policiesOfStores(documents, [store])
    return {
      ...{ storeId: store.id, runtime: store.kind, now, sessions, isArchived: settings.archive.enabled },
      overdue: isFile ? overdueOf(store, transcripts, now) : null,
      // Only OpenClaw's agents drop chunks, and keep notes of memory beside their store.
      expired: store.kind === 'openclaw' ? await expiredChunks(setup, policy, now) : null,
      notes: store.kind === 'openclaw' ? await sizeOf(notesOf(store), '.md') : null,
    }
  }
  const besides = (store: FoundStore) => {
    const [{ coldStorage }] = policiesOfStores(documents, [store])
    return store.kind === 'openclaw' ? [coldFolder(setup, coldStorage), notesOf(store)] : []
  }
  return { factsOf, besides }
}

function notesOf({ root }: FoundStore): string {
  return join(root, 'workspace', 'memory')
}

/** What the store's own limits would take away, where the runtime only warns of it. */
function overdueOf(
  store: FoundStore,
  transcripts: readonly JudgedTranscript[],
  now: Milliseconds,
): FolderGrowth | null {
  const rule = overdueRuleOf(store)
  if (rule === null) return null
  const overdue = transcripts.flatMap(({ path, state, mtimeMs, isIndexed, bytes }) => {
    if (state === 'gone' || mtimeMs === null) return []
    const at = rule({ path, state, mtimeMs, isIndexed })?.at
    return at === undefined || at > now ? [] : [{ at, path, bytes: bytes ?? 0 }]
  })
  const [first] = overdue
  if (first === undefined) return null
  return {
    folder: dirname(first.path),
    files: overdue.length,
    bytes: overdue.reduce((sum, { bytes }) => sum + bytes, 0),
    oldest: overdue.reduce((oldest, { at }) => Math.min(oldest, at), now),
    isCut: false,
  }
}

const DAY_MS = 86_400_000

/** By the last write of their files: what was renewed or kept longer was written to again. */
function expiredChunks(
  setup: Setup,
  { coldStorage }: Policy,
  now: Milliseconds,
): Promise<FolderGrowth | null> {
  return sizeOf(coldFolder(setup, coldStorage), '.jsonl', now - coldStorage.days * DAY_MS)
}

async function sizeOf(folder: string, ending: string, before?: Milliseconds): Promise<FolderGrowth | null> {
  const size = await folderSize(folder, ending, before)
  return size === null ? null : { folder, ...size }
}

/** Whether a lock file is beside a transcript; each folder is looked into once. */
function lockNames(): (path: string) => Promise<boolean> {
  const folders = new Map<string, ReadonlySet<string>>()
  return async (path) => {
    const folder = dirname(path)
    const known = folders.get(folder) ?? (await namesIn(folder))
    folders.set(folder, known)
    return known.has(`${basename(path)}.lock`)
  }
}

async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch(() => [])
  return new Set(names.filter((name) => name.endsWith('.lock')))
}

/** What is no lock file, whatever its name, is none that could be left behind. */
function lockBeside(path: string, now: Milliseconds): StoreSession['lock'] {
  try {
    return leftLock(join(dirname(path), `${basename(path)}.lock`), now)
  } catch {
    return null
  }
}
