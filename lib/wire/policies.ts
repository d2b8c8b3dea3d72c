import { join, resolve } from 'node:path'
import { openPolicyFile, policyFiles } from '../adapters/policy-files'
import type { LabelledFile } from '../core/policy/effective'
import { isPreset, PRESET_NAMES } from '../core/policy/presets'
import {
  loadDocument,
  type PolicyDocument,
  type PolicyPlace,
  type PolicyVersion,
  type SaveInput,
  type SaveResult,
  saveDocument,
} from '../engine/policy-store'
import type { FoundStore } from '../engine/ports'
import type { Setup } from './setup'

/** Configuration files that a runtime keeps in its state folder, weakest first: seed 2's, then the runtime's own. */
const STORE_FILES = ['context-config.yaml', 'moltbot.json', 'moldbot.json', 'clawdbot.json', 'openclaw.json']

/** The policy files of this operator, to read and to change. */
export type Policies = {
  /** Where they are looked for. */
  readonly places: readonly string[]
  /** Our own file first (it may not exist yet), then what the stores' folders hold. */
  documents(): Promise<PolicyDocument[]>
  /** @throws UnknownPolicyFile when the path is none of the documents */
  save(input: SaveInput): Promise<SaveResult>
  history(path: string): Promise<readonly PolicyVersion[]>
  version(path: string, id: string): Promise<string | null>
}

/** Somebody asked to read or write a file that is no policy file of this operator. */
export class UnknownPolicyFile extends Error {
  readonly code = 'UNKNOWN_POLICY_FILE'
}

export function openPolicies(setup: Setup, stores: readonly FoundStore[]): Policies {
  const { environment, settingsFile } = setup
  const files = policyFiles(join(environment.home, 'policy-history'))
  const own: PolicyPlace = {
    path: settingsFile ?? join(environment.configFolder, 'plimsoll.yaml'),
    role: 'own',
    storeId: null,
  }
  const places = [own, ...stores.flatMap(storePlaces)]
  const placeOf = (path: string): PolicyPlace => {
    const place = places.find((known) => known.path === path)
    if (place === undefined) throw new UnknownPolicyFile(`${path} is not one of the policy files`)
    return place
  }
  return {
    places: places.map(({ path }) => path),
    documents: async () => {
      const documents = await Promise.all(places.map((place) => loadDocument(files, place)))
      return documents.filter((document) => document.role === 'own' || document.exists)
    },
    save: (input) => saveDocument(files, { now: Date.now }, placeOf(input.path), input),
    history: (path) => files.versions(placeOf(path).path),
    version: (path, id) => files.version(placeOf(path).path, id),
  }
}

/** Both eras of one state folder share its files; they are named once. */
function storePlaces(store: FoundStore, index: number, all: readonly FoundStore[]): PolicyPlace[] {
  if (store.kind !== 'openclaw') return []
  if (all.findIndex((other) => other.root === store.root) !== index) return []
  return STORE_FILES.map((name) => ({ path: join(store.root, name), role: 'store', storeId: store.id }))
}

/** What `--policy` names: a preset, or a file of any known format. */
export async function choosePolicy(
  name: string,
  cwd: string,
): Promise<{
  readonly label: string
  readonly preset: string | null
  readonly document: PolicyDocument | null
}> {
  if (isPreset(name)) return { label: `preset ${name}`, preset: name, document: null }
  const document = await openPolicyFile(resolve(cwd, name))
  if (!document.exists) {
    throw new UnknownPolicyFile(
      `${name} is neither a file nor a preset (presets: ${PRESET_NAMES.join(', ')})`,
    )
  }
  return { label: name, preset: null, document }
}

/** The files that speak for the sessions of a store, weakest first. */
export function filesOfStore(
  documents: readonly PolicyDocument[],
  store: Pick<FoundStore, 'root'> | null,
): LabelledFile[] {
  if (store === null) return []
  return documents
    .filter((document) => document.role === 'store' && document.path.startsWith(join(store.root, '/')))
    .map((document) => ({ label: document.path, file: document.file }))
}

/** Our own file, when there is one. */
export function ownFile(documents: readonly PolicyDocument[]): LabelledFile | null {
  const own = documents.find((document) => document.role === 'own' && document.exists)
  return own === undefined ? null : { label: own.path, file: own.file }
}
