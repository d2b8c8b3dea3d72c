import 'server-only'
import { basename } from 'node:path'
import type { SourceProblem } from '../core/policy/source-tree'
import { findKnownStores } from '../db/queries/known-stores'
import type { PolicyDocument, PolicyVersion, SaveInput, SaveResult } from '../engine/policy-store'
import type { FoundStore } from '../engine/ports'
import type { PolicyDocumentView } from '../view/policy-reading'
import { findStores } from '../wire'
import { openPolicies, type Policies } from '../wire/policies'
import { getDatabase } from './database'
import { settingsFaults } from './settings-faults'
import { getSetup, SetupError } from './setup'

/** The configuration files that policies are read from: ours first, then those of the stores. @throws SetupError */
export async function getPolicyDocuments(): Promise<PolicyDocumentView[]> {
  return labelled(await open())
}

/**
 * The same for the stores that sessions were read from, without looking for stores: what decides about a session is in
 * the folder of its own store.
 * @throws SetupError
 */
export async function getPolicyDocumentsOfSessions(): Promise<PolicyDocumentView[]> {
  const stores = findKnownStores(await getDatabase())
  return labelled({ policies: openPolicies(getSetup(), stores), stores })
}

async function labelled({ policies, stores }: Opened): Promise<PolicyDocumentView[]> {
  return labelDocuments(await readable(policies.documents()), stores)
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
    throw new SetupError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * Saves an edited file; see `saveDocument` of the engine. Our own file is read by more than the policy, so what else
 * stands in it is checked as well: what cannot be read would have its default.
 * @throws UnknownPolicyFile
 */
export async function savePolicyDocument(input: SaveInput): Promise<SaveResult> {
  const { policies } = await open()
  const problems = await settingsProblems(policies, input)
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
  const { stores } = await findStores(setup, process.env, null)
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

async function settingsProblems(policies: Policies, { path, text }: SaveInput): Promise<SourceProblem[]> {
  const [own] = await policies.documents()
  return own?.path === path && own.role === 'own' ? settingsFaults(path, text) : []
}
