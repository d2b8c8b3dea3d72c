import { keptOf } from '../../core/maintenance/kept-keys'
import {
  type Generation,
  generationOf,
  type MaintenanceLimits,
  readLimits,
} from '../../core/maintenance/limits'
import { type MaintenancePlan, type MaintenanceStep, planMaintenance } from '../../core/maintenance/plan'
import { planText } from '../../core/maintenance/plan-text'
import { indexWithout, readStoreIndex, type StoreIndex } from '../../core/maintenance/read-store-index'
import { isOwnFile, RECOGNISED_BYTES } from '../../core/maintenance/recognise-file'
import { kindOfFile, type StoreFile } from '../../core/maintenance/store-files'
import { readFileState } from '../write/file-state'
import type { FileState, WriteRefusal, WriteResult } from '../write/receipt'
import { asRefused, Refused } from '../write/refusal'
import { changeFiles } from '../write/replace-file'
import type { Writer } from '../write/write-ports'
import type { FileOperation, WaitOptions } from '../write/write-requests'
import { leftAloneText, MOST_EXAMPLES } from './recognise-files'

/** One folder of OpenClaw transcripts with its index. */
export type MaintenancePlace = {
  /** Real path of the store. */
  readonly root: string
  /** The sessions folder. */
  readonly folder: string
  readonly agent: string | null
  /** `session.maintenance` of the store's configuration, unchecked. */
  readonly settings: unknown
  /** Version of the runtime that last wrote the configuration. */
  readonly version: string | null
}

export type PlannedMaintenance = {
  readonly generation: Generation
  readonly limits: MaintenanceLimits
  readonly plan: MaintenancePlan
  /** SHA-256 of what the plan does: the same for two that do the same. Hex. */
  readonly fingerprint: string
  /** Keys of sessions that must stay, and that this index does not hold. */
  readonly absent: readonly string[]
  /** Those of the plan, those about the configuration, and about the absent. */
  readonly warnings: readonly string[]
}

type Survey = PlannedMaintenance & { readonly index: StoreIndex; readonly indexState: FileState | null }

/** Needed to look, not to write. */
export type MaintenanceIo = Pick<Writer, 'files' | 'sha256' | 'clock'>

/** A session used this recently is in use. Milliseconds. */
const ACTIVE_MS = 60 * 60_000

const INDEX = 'sessions.json'

export type TriedMaintenance = { readonly kind: 'planned'; readonly planned: PlannedMaintenance } | Refusing
type Refusing = { readonly kind: 'refused'; readonly refusal: WriteRefusal }

/**
 * What the store's own limits would remove; writes nothing.
 * @param active keys of sessions that must stay; those of other agents do not count here
 */
export function tryMaintenance(
  io: MaintenanceIo,
  place: MaintenancePlace,
  active: readonly string[],
): Promise<TriedMaintenance> {
  return orRefused(place, async () => {
    const { generation, limits, plan, fingerprint, absent, warnings } = await survey(io, place, active)
    return { kind: 'planned', planned: { generation, limits, plan, fingerprint, absent, warnings } }
  })
}

export type MaintainRequest = {
  readonly place: MaintenancePlace
  readonly active: readonly string[]
  readonly actor: string
  /**
   * The fingerprint of the trial that somebody looked at: another plan is not carried out, nor one of limits that only
   * warn. null: whatever the plan is.
   */
  readonly expected: string | null
  readonly wait: WaitOptions
}

/**
 * Plans anew and applies the plan under one receipt: the index without the removed sessions, their transcripts under
 * other names, files of which only the backup stays. All of it, or nothing.
 */
export async function maintainStore(
  writer: Writer,
  { place, active, actor, expected, wait }: MaintainRequest,
): Promise<{ readonly planned: PlannedMaintenance | null; readonly result: WriteResult }> {
  const done = await orRefused(place, async () => {
    const planned = await survey(writer, place, active)
    if (expected !== null) checkLookedAt(planned, expected)
    // A session that is named must be kept; a typing error must not delete it.
    const [absent] = planned.absent
    if (absent !== undefined) throw new Refused('missing', absentText(absent, place))
    const operations = await toOperations(writer, place, planned)
    const { plan } = planned
    const result = await changeFiles(writer, {
      intent: {
        kind: 'maintain',
        actor,
        reason: reasonFor(plan, place),
        session: null,
        summary: {
          entriesBefore: plan.before.entries,
          entriesAfter: plan.after.entries,
          bytesBefore: plan.before.bytes,
          bytesAfter: plan.after.bytes,
        },
      },
      root: place.root,
      kind: 'openclaw',
      operations,
      wait,
    })
    return { kind: 'planned', planned, result } as const
  })
  return done.kind === 'refused' ? { planned: null, result: done } : done
}

/** @throws Refused */
function checkLookedAt({ limits, fingerprint }: PlannedMaintenance, expected: string): void {
  if (limits.mode === 'warn')
    throw new Refused('unsafe', 'The mode is warn, which removes nothing. Choose enforce.')
  if (fingerprint === expected) return
  const message =
    'The store has changed since the dry run, and the plan with it. Nothing was changed; look at it again.'
  throw new Refused('changed', message)
}

async function orRefused<T>({ folder }: MaintenancePlace, work: () => Promise<T>): Promise<T | Refusing> {
  try {
    return await work()
  } catch (error) {
    const reason = asRefused(error, folder)
    if (reason instanceof Refused) return { kind: 'refused', refusal: reason.refusal }
    throw reason
  }
}

async function survey(
  io: MaintenanceIo,
  place: MaintenancePlace,
  active: readonly string[],
): Promise<Survey> {
  const now = io.clock.now()
  const path = io.files.join(place.folder, INDEX)
  const indexState = await readFileState(io, path)
  const index = await readIndex(io, path, indexState, now - ACTIVE_MS)
  const generation = generationOf(place.version) ?? index.generation
  const { limits, warnings } = readLimits(place.settings, generation)
  const { files, foreign } = await listFiles(io, place.folder)
  const kept = keptOf(active, place.agent)
  const planFor = (files: readonly StoreFile[]) =>
    planMaintenance(
      { entries: index.entries, files, indexBytes: indexState?.size ?? 0 },
      { limits, now, active: index.active, named: new Set(kept) },
    )
  let plan = planFor(files)
  // What is none of the runtime's is not removed, and another file may have its turn then.
  for (let found = await foreignIn(io, place.folder, plan); found.length > 0; ) {
    foreign.push(...found)
    plan = planFor(files.filter(({ name }) => !foreign.includes(name)))
    found = await foreignIn(io, place.folder, plan)
  }
  const keys = new Set(index.entries.map(({ key }) => key))
  const absent = kept.filter((key) => !keys.has(key))
  const left = { count: foreign.length, examples: foreign.slice(0, MOST_EXAMPLES) }
  const others = foreign.length === 0 ? [] : [leftAloneText(place.folder, left, NOT_OWN)]
  const allWarnings = [
    ...absent.map((key) => absentText(key, place)),
    ...warnings,
    ...plan.warnings,
    ...others,
  ]
  const fingerprint = fingerprintOf(io, plan)
  return { generation, limits, plan, fingerprint, absent, warnings: allWarnings, index, indexState }
}

function fingerprintOf(io: MaintenanceIo, plan: MaintenancePlan): string {
  const hasher = io.sha256()
  hasher.update(new TextEncoder().encode(planText(plan)))
  return hasher.digest()
}

async function readIndex(
  io: MaintenanceIo,
  path: string,
  state: FileState | null,
  activeSince: number,
): Promise<StoreIndex> {
  if (state === null) return readStoreIndex('{}', activeSince)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    let text = ''
    for await (const bytes of io.files.read(path)) text += decoder.decode(bytes, { stream: true })
    return readStoreIndex(text + decoder.decode(), activeSince)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    throw new Refused(
      'unsafe',
      `${path} cannot be understood (${error.message}), so nothing tells which files are still needed. Restore it from a copy first.`,
      { cause: error },
    )
  }
}

/** `foreign`: names of those that have a second name; taking one away would not free what it holds. */
async function listFiles({ files }: MaintenanceIo, folder: string) {
  const found: StoreFile[] = []
  const foreign: string[] = []
  for (const name of await files.list(folder)) {
    const stats = await files.stat(files.join(folder, name))
    if (stats?.kind !== 'file') continue
    if (stats.links > 1 && kindOfFile(name) !== 'other') foreign.push(name)
    else found.push({ name, size: stats.size, mtimeMs: Number(BigInt(stats.mtimeNs) / 1_000_000n) })
  }
  return { files: found, foreign }
}

/** Names of files that a plan would take away although they do not hold what their names say. */
async function foreignIn(io: MaintenanceIo, folder: string, plan: MaintenancePlan): Promise<string[]> {
  const foreign: string[] = []
  for (const step of plan.steps) {
    if (step.do !== 'delete') continue
    const head = await readHead(io, io.files.join(folder, step.file))
    if (head !== null && !isOwnFile(step.file, head)) foreign.push(step.file)
  }
  return foreign
}

/** null: it has gone meanwhile. */
async function readHead({ files }: MaintenanceIo, path: string): Promise<Uint8Array | null> {
  if ((await files.stat(path))?.kind !== 'file') return null
  const pieces: Uint8Array[] = []
  for await (const piece of files.read(path, { start: 0, end: RECOGNISED_BYTES })) pieces.push(piece)
  const head = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    head.set(piece, at)
    at += piece.length
  }
  return head
}

/** Why a file of the runtime's folder is none of the runtime's. */
const NOT_OWN = {
  one: 'does not hold what its name says or has several names (hard links)',
  many: 'do not hold what their names say or have several names (hard links)',
}

async function toOperations(
  writer: Writer,
  place: MaintenancePlace,
  planned: Survey,
): Promise<FileOperation[]> {
  const at = (name: string) => writer.files.join(place.folder, name)
  const { index, indexState, plan } = planned
  const operations: FileOperation[] = []
  const removed = new Set<string>()
  for (const step of plan.steps) {
    if (step.do === 'remove-entry') removed.add(step.key)
    else if (step.do !== 'rotate') operations.push(await fileOperation(writer, step, at))
    else if (indexState !== null) {
      const mode = indexState.mode
      operations.push({ op: 'create', file: at(step.to), mode, produce: () => writer.files.read(at(INDEX)) })
    }
  }
  if (removed.size === 0 || indexState === null) return operations
  const text = indexWithout(index, removed)
  const replace: FileOperation = {
    op: 'replace',
    file: at(INDEX),
    expected: indexState,
    produce: async function* () {
      yield new TextEncoder().encode(text)
    },
  }
  // The index first: a transcript without an entry is harmless, an entry without its transcript is not.
  const rotation = operations.findIndex(({ op }) => op === 'create')
  operations.splice(rotation + 1, 0, replace)
  return operations
}

async function fileOperation(
  writer: Writer,
  step: Extract<MaintenanceStep, { do: 'archive' | 'delete' }>,
  at: (name: string) => string,
): Promise<FileOperation> {
  const file = at(step.file)
  const expected = await readFileState(writer, file)
  if (expected === null) throw new Refused('changed', `${file} has gone since it was looked at. Try again.`)
  if (step.do === 'delete') return { op: 'remove', file, expected }
  return { op: 'move', file, to: at(step.to), expected }
}

function absentText(key: string, { folder }: MaintenancePlace): string {
  return `No session in the index of ${folder} has the key "${key}", so none would stay for its sake. Correct the key, or leave it out.`
}

function reasonFor({ before, after, steps }: MaintenancePlan, { folder }: MaintenancePlace): string {
  const count = (wanted: MaintenanceStep['do']) => steps.filter((step) => step.do === wanted).length
  return `Maintenance of ${folder}: ${before.entries - after.entries} sessions removed from the index, ${count('archive')} transcripts put aside, ${count('delete')} files deleted.`
}
