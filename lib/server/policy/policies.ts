import { reasonOf } from '../../core/words/reason-of'
import 'server-only'
import { basename } from 'node:path'
import { openPolicies, type Policies } from '../../compose/policy/policies'
import { ownSettingsPath } from '../../compose/setup'
import { askingStores } from '../../compose/stores/store-asks'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource, type SyntaxProblem } from '../../core/policy/source-tree'
import { findKnownStores } from '../../db/queries/known-stores'
import type { PolicyDocument, PolicyVersion, SaveInput, SaveResult } from '../../engine/policy/policy-store'
import type { FoundStore } from '../../engine/read/ports'
import type { PolicyDocumentView } from '../../view/policy/policy-reading'
import { type StoreAsksShown, storeAsksView } from '../../view/policy/store-asks'
import { getDatabase } from '../process/database'
import { getSetup, SetupError } from '../process/setup'
import { findStoresForPage } from '../stores/found-stores'
import { lockedProblems } from './policy-lock'
import { settingsFaults } from './settings-faults'

/** The configuration files, and what those of stores ask for. */
export type PoliciesView = {
  /** Ours first, then those of the stores. */
  readonly documents: readonly PolicyDocumentView[]
  /** What stores ask for and the operator decides, and where that would be allowed. */
  readonly asks: StoreAsksShown
}

/** What the Policies page shows. Stores are searched for once, and each file is read once. @throws SetupError */
export async function getPolicies(): Promise<PoliciesView> {
  const setup = getSetup()
  const { policies, stores } = await open()
  const documents = await readable(policies.documents())
  const asking = askingStores(setup, documents, stores).map(storeAsksView)
  return {
    documents: labelDocuments(documents, stores),
    asks: { stores: asking, settingsFile: ownSettingsPath(setup) },
  }
}

/**
 * The same for the stores that sessions were read from, without looking for stores: what decides about a session is in
 * the folder of its own store.
 * @throws SetupError
 */
export async function getPolicyDocumentsOfSessions(): Promise<PolicyDocumentView[]> {
  const stores = findKnownStores(await getDatabase())
  return labelDocuments(await readable(openPolicies(getSetup(), stores).documents()), stores)
}

/** Documents with what to call them on screen. */
export function labelDocuments<D extends PolicyDocument>(
  documents: readonly D[],
  stores: readonly FoundStore[],
): (D & { readonly label: string })[] {
  return documents.map((document) => ({ ...document, label: labelOf(document, documents, stores) }))
}

/** A file that cannot be read is for the operator to mend; the message names it. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw new SetupError(reasonOf(error))
  }
}

/**
 * Saves an edited file; see `saveDocument` of the engine. Our own file is read by more than the policy, so what else
 * is in it is checked as well: what cannot be read would have its default.
 * @throws UnknownPolicyFile
 */
export async function savePolicyDocument(input: SaveInput): Promise<SaveResult> {
  const { policies } = await open()
  const documents = await policies.documents()
  const problems = [...pageProblems(documents, input), ...settingsProblems(documents, input)]
  return problems.length > 0 ? { kind: 'invalid', problems } : policies.save(input)
}

/** Earlier versions of a file, newest first. @throws UnknownPolicyFile */
export async function getPolicyHistory(path: string): Promise<readonly PolicyVersion[]> {
  return (await open()).policies.history(path)
}

/** Text of an earlier version; null when it is not kept any more. @throws UnknownPolicyFile */
export async function getPolicyVersion(path: string, id: string): Promise<string | null> {
  return (await open()).policies.version(path, id)
}

type Opened = { readonly policies: Policies; readonly stores: readonly FoundStore[] }

async function open(): Promise<Opened> {
  const setup = getSetup()
  const { stores } = await findStoresForPage(setup)
  return { policies: openPolicies(setup, stores), stores }
}

/** The name of the file; with its store where several have one of that name. */
function labelOf(
  document: PolicyDocument,
  all: readonly PolicyDocument[],
  stores: readonly FoundStore[],
): string {
  const name = basename(document.path)
  if (all.filter((other) => basename(other.path) === name).length < 2) return name
  const store = stores.find((candidate) => candidate.id === document.storeId)
  return `${name} (${store?.label ?? document.path})`
}

/** A file that is not the one that was edited is reported by the save itself. */
function pageProblems(documents: readonly PolicyDocument[], input: SaveInput): SyntaxProblem[] {
  const document = documents.find(({ path }) => path === input.path)
  if (document !== undefined) return document.hash === input.baseHash ? lockedProblems(document, input) : []
  // A runtime's file that is not there yet; whether it may be made is for the save to say.
  const file = readPolicy(parseSource('', input.path))
  return lockedProblems({ path: input.path, role: 'store', text: '', file }, input)
}

function settingsProblems([own]: readonly PolicyDocument[], { path, text }: SaveInput): SyntaxProblem[] {
  return own?.path === path && own.role === 'own' ? settingsFaults(path, text) : []
}
