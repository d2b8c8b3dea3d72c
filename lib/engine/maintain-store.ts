import { keptOf } from '../core/maintenance/kept-keys'
import { type Generation, generationOf, type MaintenanceLimits, readLimits } from '../core/maintenance/limits'
import { type MaintenancePlan, type MaintenanceStep, planMaintenance } from '../core/maintenance/plan'
import { indexWithout, readStoreIndex, type StoreIndex } from '../core/maintenance/read-store-index'
import type { StoreFile } from '../core/maintenance/store-files'
import { readFileState } from './file-state'
import type { FileState, WriteResult } from './receipt'
import { asRefused, Refused } from './refusal'
import { changeFiles } from './replace-file'
import type { Writer } from './write-ports'
import type { FileOperation, WaitOptions } from './write-requests'

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
  /** Keys of sessions that must stay, and that this index does not hold. */
  readonly absent: readonly string[]
  /** Those of the plan, those about the configuration, and about the absent. */
  readonly warnings: readonly string[]
}

type Survey = PlannedMaintenance & { readonly index: StoreIndex; readonly indexState: FileState | null }

/** Needed to look, not to write. */
export type MaintenanceIo = Pick<Writer, 'files' | 'sha256' | 'clock'>

/** A session used this recently is somebody's work. Milliseconds. */
const ACTIVE_MS = 60 * 60_000

const INDEX = 'sessions.json'

/**
 * What the store's own limits would remove; writes nothing.
 * @param active keys of sessions that must stay; those of other agents do not count here
 * @throws Refused when the index cannot be read
 */
export async function planStore(
  io: MaintenanceIo,
  place: MaintenancePlace,
  active: readonly string[],
): Promise<PlannedMaintenance> {
  const { generation, limits, plan, absent, warnings } = await survey(io, place, active)
  return { generation, limits, plan, absent, warnings }
}

export type MaintainRequest = {
  readonly place: MaintenancePlace
  readonly active: readonly string[]
  readonly actor: string
  readonly wait: WaitOptions
}

/**
 * Plans anew and carries it out under one receipt: the index without the removed sessions, their transcripts under other
 * names, files of which only the backup stays. All of it, or nothing.
 */
export async function maintainStore(
  writer: Writer,
  { place, active, actor, wait }: MaintainRequest,
): Promise<{ readonly planned: PlannedMaintenance | null; readonly result: WriteResult }> {
  try {
    const planned = await survey(writer, place, active)
    // Who names a session wants it kept; a slip of the pen must not cost it.
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
    return { planned, result }
  } catch (error) {
    const reason = asRefused(error, place.folder)
    if (reason instanceof Refused)
      return { planned: null, result: { kind: 'refused', refusal: reason.refusal } }
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
  const files = await listFiles(io, place.folder)
  const state = { entries: index.entries, files, indexBytes: indexState?.size ?? 0 }
  const kept = keptOf(active, place.agent)
  const plan = planMaintenance(state, { limits, now, active: index.active, named: new Set(kept) })
  const keys = new Set(index.entries.map(({ key }) => key))
  const absent = kept.filter((key) => !keys.has(key))
  const told = [...absent.map((key) => absentText(key, place)), ...warnings, ...plan.warnings]
  return { generation, limits, plan, absent, warnings: told, index, indexState }
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

async function listFiles({ files }: MaintenanceIo, folder: string): Promise<StoreFile[]> {
  const found: StoreFile[] = []
  for (const name of await files.list(folder)) {
    const seen = await files.look(files.join(folder, name))
    if (seen?.kind !== 'file') continue
    found.push({ name, size: seen.size, mtimeMs: Number(BigInt(seen.mtimeNs) / 1_000_000n) })
  }
  return found
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
