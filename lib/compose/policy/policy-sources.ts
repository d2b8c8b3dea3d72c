import { dirname } from 'node:path'
import { sourceNamed } from '../../adapters/sources/sources'
import { goClawFile, settingsFolderOf } from '../../adapters/stores/runtime-version'
import {
  effectivePolicy,
  type LabelledFile,
  NO_SUBJECT,
  type PolicySources,
} from '../../core/policy/effective'
import type { Policy } from '../../core/policy/policy'
import type { PolicyDocument } from '../../engine/policy/policy-store'
import type { FoundStore } from '../../engine/read/ports'

/** A document, with what to call it on screen where that is not its path. */
export type LabelledDocument = Pick<PolicyDocument, 'role' | 'path' | 'exists' | 'file' | 'granted'> & {
  readonly label?: string
}

type OfStore = Pick<FoundStore, 'kind' | 'root'>

/** What the policy for the sessions of a store is made of. @param store null: of none in particular */
export function policySources(documents: readonly LabelledDocument[], store: OfStore | null): PolicySources {
  return { own: ownFile(documents), store: filesOfStore(documents, store), chosen: null }
}

/** Our own file, when there is one. */
export function ownFile(documents: readonly LabelledDocument[]): LabelledFile | null {
  const own = documents.find(({ role, exists }) => role === 'own' && exists)
  return own === undefined ? null : labelled(own)
}

/** The files that speak for the sessions of a store, weakest first. */
export function filesOfStore(documents: readonly LabelledDocument[], store: OfStore | null): LabelledFile[] {
  return store === null ? [] : documentsOfStore(documents, store).map(labelled)
}

/** The same as documents. */
export function documentsOfStore<D extends Pick<PolicyDocument, 'role' | 'path' | 'exists'>>(
  documents: readonly D[],
  store: OfStore,
): D[] {
  const folder = settingsFolderOf(store)
  const goClaw = store.kind === 'openclaw' && folder !== null ? goClawFile(folder) : null
  const managed = sourceNamed(store.kind)?.settings.managed ?? []
  return documents.filter(
    ({ role, exists, path }) =>
      role === 'store' &&
      exists &&
      (dirname(path) === folder || path === goClaw || (folder !== null && managed.includes(path))),
  )
}

function labelled({ label, path, file, granted }: LabelledDocument): LabelledFile {
  return { label: label ?? path, file, ...(granted === undefined ? {} : { granted }) }
}

/**
 * The policies in force: one for each store, whose agents do the dropping, and at the end the operator's own, for no store
 * in particular. Never empty.
 */
export type PoliciesOfStores = readonly [Policy, ...Policy[]]

export function policiesOfStores(
  documents: readonly LabelledDocument[],
  stores: readonly FoundStore[],
): PoliciesOfStores {
  const policyOf = (store: FoundStore | null) =>
    effectivePolicy(policySources(documents, store), NO_SUBJECT).policy
  const [first, ...others] = stores.map(policyOf)
  return first === undefined ? [policyOf(null)] : [first, ...others, policyOf(null)]
}
