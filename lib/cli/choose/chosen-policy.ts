import { choosePolicy, openPolicies, UnknownPolicyFile } from '../../compose/policy/policies'
import { type PoliciesOfStores, policiesOfStores, policySources } from '../../compose/policy/policy-sources'
import { runtimeStoreOf } from '../../compose/stores/runtime-stores'
import {
  effectivePolicy,
  NO_SUBJECT,
  type PolicySources,
  type PolicySubject,
} from '../../core/policy/effective'
import { placedContradictions } from '../../core/policy/placed-contradictions'
import type { ResolvedPolicy } from '../../core/policy/resolve'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { SyntaxProblem } from '../../core/policy/source-tree'
import type { PolicyDocument } from '../../engine/policy/policy-store'
import type { FoundStore } from '../../engine/read/ports'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import type { ReadVerbOptions } from './read-options'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** What a policy is asked for: a session of a store, or nothing in particular. */
export type PolicyQuestion = {
  /** Value of `--policy`: a preset or a file; undefined asks for what the operator's files make. */
  readonly chosen: string | undefined
  readonly stores: readonly FoundStore[]
  readonly store: FoundStore | null
  readonly subject: PolicySubject
}

export const NO_QUESTION: Omit<PolicyQuestion, 'chosen'> = { stores: [], store: null, subject: NO_SUBJECT }

/**
 * The policy that a verb works with. Warnings about files go to standard error.
 * @throws CliError when `--policy` names nothing, or a file that speaks of policy holds an error
 */
export async function resolveChosen(io: Io, question: PolicyQuestion): Promise<ResolvedPolicy> {
  return effectivePolicy(await sourcesFor(io, question), question.subject)
}

/**
 * The policies in force: the one that was chosen, else those of these stores, whose agents do the dropping, and the
 * operator's own. What is wrong in their files is reported; stores whose settings are broken are left out.
 * @throws CliError as `resolveChosen`
 */
export async function policiesOf(
  io: Io,
  stores: readonly FoundStore[],
  chosen: string | undefined,
): Promise<PoliciesOfStores> {
  if (chosen !== undefined) return [(await resolveChosen(io, { ...NO_QUESTION, chosen })).policy]
  const documents = await openPolicies(setupOrFail(io), stores).documents()
  const sound = await forEachStore(io, stores, async (store) => {
    await reportRelevant(io, documents, store)
    return store
  })
  if (sound.length === 0) await reportRelevant(io, documents, null)
  return policiesOfStores(documents, sound)
}

/** The same for the stores that `--store` names, else all. */
export async function policiesFor(
  io: Io,
  { store, policy }: Pick<ReadVerbOptions, 'store'> & { readonly policy?: string },
): Promise<PoliciesOfStores> {
  return policiesOf(io, policy === undefined ? (await openSources(io, store)).stores : [], policy)
}

/** What is known of the runtime of a store. A file that cannot be read counts as none: its fault is reported elsewhere. */
export async function runtimeOfStore(
  io: Io,
  stores: readonly FoundStore[],
  store: FoundStore,
): Promise<RuntimeStore> {
  const all = stores.some(({ id }) => id === store.id) ? stores : [...stores, store]
  const setup = setupOrFail(io)
  const documents = await openPolicies(setup, all)
    .documents()
    .catch(() => [])
  return runtimeStoreOf(documents, store, setup.settings)
}

/**
 * The same for verbs that do what the policy says of a session: values that contradict each other are printed on
 * standard error, since what they do is hardly what was meant.
 */
export async function resolveToUse(io: Io, question: PolicyQuestion): Promise<ResolvedPolicy> {
  const sources = await sourcesFor(io, question)
  const resolved = effectivePolicy(sources, question.subject)
  for (const { place, paths, message } of placedContradictions(sources, resolved)) {
    const path = paths.find((each) => resolved.origin[each]?.level !== 'default') ?? ''
    const where =
      place === null
        ? `${resolved.origin[path]?.label ?? 'policy'}: ${path}`
        : `${place.file}:${place.line} ${place.key}`
    await note(io, `warning: ${where}: ${message}`)
  }
  return resolved
}

/** A file of a store that speaks of policy holds an error: the store's verbs cannot go on, those of others can. */
class StoreSettingsError extends CliError {}

/**
 * Does a piece of work for each store. Where the settings of one are broken, this is shown on standard error, and the
 * others go on; with settings that are broken in all of them the work fails.
 * @throws CliError
 */
export async function forEachStore<S extends FoundStore, T>(
  io: Io,
  stores: readonly S[],
  work: (store: S) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  const broken: StoreSettingsError[] = []
  for (const store of stores) {
    try {
      done.push(await work(store))
    } catch (error) {
      if (!(error instanceof StoreSettingsError)) throw error
      broken.push(error)
    }
  }
  const [first] = broken
  if (first !== undefined && done.length === 0) throw first
  // Two stores of one folder have the same settings.
  for (const message of new Set(broken.map((error) => error.message))) {
    await note(io, `${message}\nThis store is left out until its settings can be read.`)
  }
  return done
}

function sourcesFor(io: Io, question: PolicyQuestion): Promise<PolicySources> {
  return question.chosen === undefined ? inForce(io, question) : chosenSources(io, question.chosen)
}

async function inForce(io: Io, question: PolicyQuestion): Promise<PolicySources> {
  const documents = await relevantDocuments(io, question)
  return policySources(documents, question.store)
}

/** Our own file and those of the store's runtime; what is wrong in them is reported. @throws CliError at an error */
export async function relevantDocuments(
  io: Io,
  { stores, store }: Pick<PolicyQuestion, 'stores' | 'store'>,
): Promise<PolicyDocument[]> {
  return reportRelevant(io, await openPolicies(setupOrFail(io), stores).documents(), store)
}

async function reportRelevant(
  io: Io,
  documents: readonly PolicyDocument[],
  store: FoundStore | null,
): Promise<PolicyDocument[]> {
  const { own, store: files } = policySources(documents, store)
  const relevant = documents.filter(
    (d) => d.path === own?.label || files.some((file) => file.label === d.path),
  )
  await reportProblems(io, relevant)
  return relevant
}

async function chosenSources(io: Io, name: string): Promise<PolicySources> {
  try {
    const { label, preset, document } = await choosePolicy(name, io.cwd)
    if (document !== null) await reportProblems(io, [document])
    return { own: null, store: [], chosen: { label, preset, file: document?.file ?? null } }
  } catch (error) {
    if (error instanceof UnknownPolicyFile) throw new CliError(EXIT.usage, error.message)
    throw error
  }
}

async function reportProblems(io: Io, documents: readonly PolicyDocument[]): Promise<void> {
  const problems = documents.flatMap((document) => document.file.problems)
  const errors = problems.filter((problem) => problem.severity === 'error')
  if (errors.length > 0) {
    const isOfStore = documents.every(
      ({ role, file }) => role === 'store' || file.problems.every(({ severity }) => severity !== 'error'),
    )
    const Kind = isOfStore ? StoreSettingsError : CliError
    throw new Kind(EXIT.unreadable, errors.map(problemText).join('\n'), { problems: errors })
  }
  for (const problem of problems) await note(io, `warning: ${problemText(problem)}`)
}

/** `file:line:column key: message`, as editors understand it. */
export function problemText({ file, line, column, key, message }: SyntaxProblem): string {
  return `${file}:${line}:${column} ${key === '' ? '' : `${key}: `}${message}`
}
