import { dirname, join, resolve } from 'node:path'
import { openPolicyFile, policyFiles } from '../../adapters/policy/policy-files'
import { sourceNamed } from '../../adapters/sources/sources'
import { goClawFile, settingsFolderOf } from '../../adapters/stores/runtime-version'
import { type SettingsPlace, settingsHash, settingsRefusal } from '../../config/settings-file'
import { addTrust } from '../../config/trust'
import { isPreset, PRESET_NAMES } from '../../core/policy/presets'
import {
  loadDocument,
  type PolicyDocument,
  type PolicyFiles,
  type PolicyPlace,
  type PolicyVersion,
  type SaveInput,
  type SaveResult,
  saveDocument,
} from '../../engine/policy/policy-store'
import type { FoundStore } from '../../engine/read/ports'
import { ownSettingsPath, type Setup } from '../setup'
import { grantsOf, type StoreTrust, storeTrust } from '../stores/store-trust'

/**
 * Configuration files in a runtime's state folder, weakest first: memfas's, VS7's, OpenClaw's under its names, and
 * GoClaw's, which lies beside OpenClaw's and counts more.
 */
const STORE_FILES = [
  'context-config.yaml',
  'config.yaml',
  'moltbot.json',
  'moldbot.json',
  'clawdbot.json',
  'openclaw.json',
  'goclaw.json',
]

/** The policy files of this operator, to read and to change. */
export type Policies = {
  /** Where they are searched for. */
  readonly places: readonly string[]
  /** Our own file first (it may not exist yet), then what the stores' folders hold. */
  documents(): Promise<PolicyDocument[]>
  /** @throws UnknownPolicyFile when the path is none of the documents */
  save(input: SaveInput): Promise<SaveResult>
  history(path: string): Promise<readonly PolicyVersion[]>
  version(path: string, id: string): Promise<string | null>
  /** A document as it would be with another text; nothing is written. */
  withText(path: string, text: string): Promise<PolicyDocument>
}

/** A request to read or write a file that is no policy file of this operator. */
export class UnknownPolicyFile extends Error {
  readonly code = 'UNKNOWN_POLICY_FILE'
}

export function openPolicies(setup: Setup, stores: readonly FoundStore[]): Policies {
  const own: PolicyPlace = { path: ownSettingsPath(setup), role: 'own', storeId: null }
  const files = obeyedFiles(policyFiles(join(setup.environment.home, 'policy-history')), setup, own.path)
  const places = [own, ...storePlaces(stores)]
  const placeOf = (path: string): PolicyPlace => {
    const place = places.find((known) => known.path === path)
    if (place === undefined) throw new UnknownPolicyFile(`${path} is not one of the policy files`)
    return place
  }
  const trusts = new Map<string, StoreTrust>()
  const trusted = (document: PolicyDocument): PolicyDocument => {
    if (document.role === 'own') return document
    const store = stores.find(({ id }) => id === document.storeId)
    const folder = store === undefined ? null : settingsFolderOf(store)
    if (folder === null) return document
    const trust = trusts.get(folder) ?? storeTrust(setup, folder, stores)
    trusts.set(folder, trust)
    return { ...document, granted: grantsOf(trust, document.path, document.file) }
  }
  return {
    places: places.map(({ path }) => path),
    documents: async () => {
      const documents = await Promise.all(places.map((place) => loadDocument(files, place)))
      return documents.filter((document) => document.role === 'own' || document.exists).map(trusted)
    },
    save: async (input) => {
      const result = await saveDocument(files, { now: Date.now }, placeOf(input.path), input)
      return result.kind === 'saved' ? { ...result, document: trusted(result.document) } : result
    },
    history: (path) => files.versions(placeOf(path).path),
    version: (path, id) => files.version(placeOf(path).path, id),
    withText: async (path, text) => {
      const found = { text, hash: files.hash(text), uid: 0, mode: 0o600, writable: true }
      const read: PolicyFiles['read'] = async (at, within) => (at === path ? found : files.read(at, within))
      return trusted(await loadDocument({ ...files, read }, placeOf(path)))
    },
  }
}

/**
 * Our own file is read only as long as it may be obeyed. One in the working folder that the operator trusts and changes
 * by our own hand stays trusted.
 */
function obeyedFiles(files: PolicyFiles, setup: Setup, own: string): PolicyFiles {
  const { home } = setup.environment
  const origin = setup.settingsOrigin ?? 'known'
  return {
    ...files,
    read: async (path, within) => {
      // What our own file includes is read beside it and bound to no folder. The hash of a trusted file does not cover it.
      const isIncluded = path !== own && within == null
      if (isIncluded && origin === 'working-folder')
        throw new Error(
          `${path} is not read, since your trust in ${own} does not cover other files. Write what it says into ${own} itself and trust that, or name ${own} with --config`,
        )
      const found = await files.read(path, within)
      if (found === null || (path !== own && !isIncluded)) return found
      const place: SettingsPlace = isIncluded ? { path, origin: 'known' } : { path, origin }
      const refusal = settingsRefusal(place, found, home)
      if (refusal !== null) throw new Error(refusal)
      return found
    },
    replace: async (path, text, expectedHash, within) => {
      const outcome = await files.replace(path, text, expectedHash, within)
      if (outcome.kind === 'written' && path === own && origin === 'working-folder') {
        addTrust(home, path, settingsHash(text), Date.now())
      }
      return outcome
    },
  }
}

/** pi's own settings file, beside its sessions. */
const PI_FILES = ['settings.json']

/** Several stores of one state folder share its files; they are named once. */
function storePlaces(stores: readonly FoundStore[]): PolicyPlace[] {
  const seen = new Set<string>()
  return stores.flatMap((store) => {
    const folder = settingsFolderOf(store)
    if (folder === null || seen.has(folder)) return []
    seen.add(folder)
    const settings = sourceNamed(store.kind)?.settings
    const names = settings?.files ?? (store.kind === 'pi' ? PI_FILES : STORE_FILES)
    const common = { role: 'store', storeId: store.id } as const
    const places = names.map((name): PolicyPlace => ({ path: join(folder, name), within: folder, ...common }))
    const goClaw = goClawFile(folder)
    if (store.kind === 'openclaw' && goClaw !== null)
      places.push({ path: goClaw, within: dirname(folder), ...common })
    for (const path of settings?.managed ?? []) {
      if (!seen.has(path)) places.push({ path, within: dirname(path), ...common })
      seen.add(path)
    }
    return places
  })
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
