import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Milliseconds } from '../../core/units/units'
import type { FoundStore, Probe, SeenStore, StoreKind } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem } from '../files/regular-file'
import { sourceNamed } from '../sources/sources'
import { SqliteFiles } from '../sqlite/read-only'
import { AgentDatabases } from '../stores/agent-databases'
import { openClawLayout } from '../stores/openclaw-layout'
import { RuntimeFiles } from '../stores/openclaw-settings'
import { confinedFolder } from './confined-folder'
import { examineRoot } from './examine-root'
import type { Examiner } from './examiner'
import { foundStore, labelOf, stateFor } from './found-store'
import { knownPlaces, openClawHome } from './known-places'
import { Recall } from './recall'
import { type Candidate, fromHome, type Surroundings } from './surroundings'

/** Where to look for stores. Paths are absolute. */
export type Where = Surroundings & {
  /** Stores of the settings file, read besides the others. */
  readonly configured?: readonly { readonly path: string; readonly kind: StoreKind | null }[]
  /** PLIMSOLL_STORES: looked at instead of the known places. */
  readonly instead?: readonly string[] | null
  /** Named on a command line: nothing else is examined. */
  readonly only?: readonly string[] | null
  /**
   * Whether the operator lets the settings of a store lead to this folder; without it, to none outside of the store.
   */
  readonly allows?: (store: string, folder: string) => boolean
}

/** Stores that were found, and what could not be looked at. */
export type Discovery = {
  readonly stores: readonly FoundStore[]
  /** Every path that was examined, in order. */
  readonly probes: readonly Probe[]
  /** Fingerprints that were taken before stores were examined; by store id. */
  readonly fingerprints: ReadonlyMap<string, string>
}

type Wanted = Pick<Candidate, 'path' | 'why' | 'namedBy'> & { readonly kind: StoreKind | null }

/** What one pass for stores can tell the next: files and databases are read again only when they changed. */
export type LookMemory = Pick<Examiner, 'files' | 'databases'> & {
  /** Stores as they were when all of them had been read: one in which nothing has changed is not examined. */
  readonly seen?: ReadonlyMap<string, SeenStore>
}

/** @param patienceMs how long to wait for a database; see `AgentDatabases` */
export function newLookMemory(patienceMs: Milliseconds | null = null): LookMemory {
  return { files: new RuntimeFiles(), databases: new AgentDatabases(new SqliteFiles(), patienceMs) }
}

/**
 * Finds the stores of this machine. A named place is reported even when it is missing or unreadable; a
 * known place only when something is there. Never throws for what it finds.
 */
export async function discoverStores(where: Where, memory: LookMemory = newLookMemory()): Promise<Discovery> {
  const { files, databases, seen } = memory
  databases.beginLook()
  const examiner: Examiner = { files, databases, recall: new Recall(seen), home: openClawHome(where) }
  const stores: FoundStore[] = []
  const probes: Probe[] = []
  const examineOnce = async (wanted: Wanted) => {
    const { found, probe } = await examine(examiner, wanted)
    stores.push(...found)
    probes.push(probe)
    return found
  }
  for (const wanted of wantedPlaces(where)) {
    if (wanted.namedBy !== undefined && !mayRead(where, wanted.namedBy, wanted.path)) {
      probes.push(notAllowed({ ...wanted, kind: wanted.kind ?? 'pi' }, wanted.namedBy))
      continue
    }
    const found = await examineOnce(wanted)
    // Stores that are named mean those and no others.
    if (wanted.why === 'argument' || where.instead) continue
    for (const root of new Set(found.filter(isOpenClaw).map((store) => store.root))) {
      for (const folder of customFolders(examiner, root, where)) {
        const named = { path: folder, kind: 'openclaw', why: 'configured' } as const
        if (mayRead(where, root, folder)) await examineOnce(named)
        else probes.push(notAllowed(named, root))
      }
    }
  }
  return { stores: withoutRepeats(stores), probes, fingerprints: examiner.recall.fingerprints }
}

function wantedPlaces(where: Where): Wanted[] {
  if (where.only && where.only.length > 0) {
    return where.only.map((target) => ({ path: target, kind: null, why: 'argument' }))
  }
  const known: readonly Wanted[] =
    where.instead?.map((target) => ({ path: target, kind: null, why: 'environment' })) ?? knownPlaces(where)
  const configured = where.configured?.map((store): Wanted => ({ ...store, why: 'configured' })) ?? []
  return [...known, ...configured]
}

/** A store names folders in itself, and those that the operator lets it have. */
function mayRead({ allows }: Where, store: string, folder: string): boolean {
  return confinedFolder(folder, [store]) !== null || (allows?.(store, folder) ?? false)
}

function notAllowed({ path, kind, why }: Pick<Probe, 'path' | 'kind' | 'why'>, store: string): Probe {
  const line = `stores: [{ path: ${JSON.stringify(store)}, allow: { folders: [${JSON.stringify(path)}] } }]`
  const problem = `The settings in ${store} name this folder for sessions. It lies outside of that store and is not read until your settings allow it: ${line}`
  return { path, kind, why, found: false, problem }
}

async function examine(
  examiner: Examiner,
  { path: target, kind, why }: Wanted,
): Promise<{ found: FoundStore[]; probe: Probe }> {
  const probe = { path: target, kind: kind ?? 'openclaw', why }
  try {
    const found = await examineRoot(examiner, target, kind)
    return { found, probe: { ...probe, kind: found[0]?.kind ?? probe.kind, found: true } }
  } catch (error) {
    const problem = asSourceProblem(error, target)
    if (problem.code !== 'missing') {
      return {
        found: [broken(examiner, target, kind, problem)],
        probe: { ...probe, found: true, problem: problem.message },
      }
    }
    const found = why === 'known' ? [] : [broken(examiner, target, kind, problem)]
    return { found, probe: { ...probe, found: false } }
  }
}

function broken(
  { home }: Examiner,
  target: string,
  kind: StoreKind | null,
  problem: SourceProblem,
): FoundStore {
  const text =
    problem.code === 'missing'
      ? `${target} is not there. Check the path, or take it out of the list of stores.`
      : problem.message
  const name = kind === null ? 'Transcripts' : nameOf(kind)
  return foundStore(
    kind ?? 'openclaw',
    'jsonl',
    target,
    labelOf(name, target, home),
    stateFor(problem.code),
    text,
  )
}

function nameOf(kind: StoreKind): string {
  return sourceNamed(kind)?.name ?? (kind === 'pi' ? 'pi' : 'OpenClaw')
}

function isOpenClaw(store: FoundStore): boolean {
  return store.kind === 'openclaw' && store.state !== 'missing' && store.state !== 'unreadable'
}

/** Sessions folders that OpenClaw's own setting `session.store` puts elsewhere. */
function customFolders({ files }: Examiner, root: string, where: Where): string[] {
  const { sessionStore, agentIds } = files.config(root, configFile(root, where))
  if (sessionStore === undefined) return []
  const template = fromHome(sessionStore, openClawHome(where))
  const agents = new Set(['main', ...agentIds, ...agentFolders(root)])
  const folders = [...agents].map((agent) => path.dirname(template.replaceAll('{agentId}', agent)))
  const own = new Set(openClawLayout(root).places.map(({ sessions }) => sessions))
  return [...new Set(folders)].filter((folder) => !own.has(folder))
}

/** OPENCLAW_CONFIG_PATH speaks of the state folder that this environment makes OpenClaw use. */
function configFile(root: string, where: Where): string | undefined {
  const { OPENCLAW_CONFIG_PATH: file, OPENCLAW_STATE_DIR: state } = where.env
  const home = openClawHome(where)
  const used = state ? fromHome(state, home) : path.join(home, '.openclaw')
  return file && path.resolve(used) === root ? fromHome(file, home) : undefined
}

function agentFolders(root: string): string[] {
  try {
    return readdirSync(path.join(root, 'agents'))
  } catch {
    // No agents yet.
    return []
  }
}

/** Each store once, and none that another one lists already. */
function withoutRepeats(stores: readonly FoundStore[]): FoundStore[] {
  const distinct = [...new Map(stores.map((store) => [store.id, store])).values()]
  return distinct.filter((store) => !distinct.some((other) => other !== store && covers(other, store)))
}

function covers(outer: FoundStore, inner: FoundStore): boolean {
  if (outer.kind !== inner.kind || outer.era !== inner.era || outer.root === inner.root) return false
  if (!inner.root.startsWith(outer.root + path.sep)) return false
  if (outer.kind !== 'openclaw') return true
  if (outer.state === 'missing' || outer.state === 'unreadable') return false
  return openClawLayout(outer.root).places.some(
    ({ sessions, database }) =>
      sessions === inner.root ||
      database === inner.root ||
      (sessions !== null && path.dirname(sessions) === inner.root),
  )
}
