import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { policyFiles } from '../../adapters/policy/policy-files'
import { sourceNamed } from '../../adapters/sources/sources'
import { settingsFolderOf } from '../../adapters/stores/runtime-version'
import { sha256OfText } from '../../adapters/write/sha256'
import type { RemedyPorts, SettingsHome } from '../../engine/findings/remedy-ports'
import type { FoundStore, StoreReader } from '../../engine/read/ports'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { ownSettingsPath, type Setup } from '../setup'
import { governingOf } from '../stores/governing'
import { pinHome } from './pin-home'
import { openPolicies } from './policies'
import { documentsOfStore } from './policy-sources'

/** OpenClaw's file under its names, the usual one first. */
const OPENCLAW_FILES = ['openclaw.json', 'clawdbot.json', 'moldbot.json', 'moltbot.json']
const GOCLAW_FILE = 'goclaw.json'

/** What remedies of findings are worked out with, over the settings files of the stores. @param tunings that have ended */
export async function openRemedies(
  setup: Setup,
  stores: readonly FoundStore[],
  reader: StoreReader,
  listed: readonly StoredTranscript[],
  tunings: RemedyPorts['tunings'],
): Promise<RemedyPorts> {
  const policies = openPolicies(setup, stores)
  const documents = await policies.documents()
  const rules = await governingOf(setup, documents, stores)
  const isOwn = ({ id }: FoundStore) => rules.runtimeOf(id).owner === 'library'
  const own = {
    documents: documents.filter(({ role, exists }) => role === 'own' && exists),
    home: ownHome(setup),
  }
  const managed = new Set(stores.flatMap(({ kind }) => sourceNamed(kind)?.settings.managed ?? []))
  return {
    ...{ reader, listed, rules, tunings, prices: setup.settings.prices },
    own,
    documentsOf: (store) =>
      isOwn(store)
        ? own.documents
        : documentsOfStore(documents, store).filter(
            ({ path }) => managed.has(path) || runtimeFiles(store).includes(basename(path)),
          ),
    homeOf: (store) => (isOwn(store) ? own.home : settingsHome(store)),
    pinHomeOf: pinHome(setup, documents, stores),
    readText: (path, folder) => policyFiles('').read(path, folder),
    hash: sha256OfText,
    isManaged: (path) => managed.has(path),
    rulesWith: async (_, path, text) => {
      const changed = await policies.withText(path, text)
      // In its place among the others: their order tells which counts more.
      const known = documents.some((document) => document.path === path)
      const all = known
        ? documents.map((document) => (document.path === path ? changed : document))
        : [...documents, changed]
      return governingOf(setup, all, stores)
    },
  }
}

/** Names of the runtime's own settings files, the usual one first. */
function runtimeFiles({ kind }: Pick<FoundStore, 'kind'>): readonly string[] {
  if (kind === 'openclaw') return [...OPENCLAW_FILES, GOCLAW_FILE]
  return sourceNamed(kind)?.settings.files ?? (kind === 'pi' ? ['settings.json'] : [])
}

/** Our own file, which says what the library goes by; one that lies in the working folder is trusted as it is, and left. */
function ownHome(setup: Setup): SettingsHome | null {
  const path = ownSettingsPath(setup)
  return setup.settingsOrigin === 'working-folder' ? null : { path, folder: dirname(path) }
}

/** Where a runtime's settings are, or the usual name where there are none. */
function settingsHome(store: FoundStore): SettingsHome | null {
  const folder = settingsFolderOf(store)
  const names = runtimeFiles(store).filter((name) => name !== GOCLAW_FILE)
  const [usual] = names
  if (folder === null || usual === undefined) return null
  const name = names.find((one) => existsSync(join(folder, one))) ?? usual
  return { path: join(folder, name), folder }
}
