import { effectivePolicy, NO_SUBJECT, type PolicySources, type PolicySubject } from '../core/policy/effective'
import { placedContradictions } from '../core/policy/placed-contradictions'
import type { ResolvedPolicy } from '../core/policy/resolve'
import type { SourceProblem } from '../core/policy/source-tree'
import type { PolicyDocument } from '../engine/policy-store'
import type { FoundStore } from '../engine/ports'
import { choosePolicy, filesOfStore, openPolicies, ownFile, UnknownPolicyFile } from '../wire/policies'
import { CliError, EXIT, type Io } from './io'
import { note } from './output'
import { setupOrFail } from './setup-or-fail'

/** What a policy is asked for: a session of a store, or nothing in particular. */
export type PolicyQuestion = {
  /** Value of `--policy`: a preset or a file; undefined asks for the policy in force. */
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
 * The same for verbs that do what the policy says of a session: values that contradict each other are told on standard
 * error, since what they do is hardly what was meant.
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

function sourcesFor(io: Io, question: PolicyQuestion): Promise<PolicySources> {
  return question.chosen === undefined ? inForce(io, question) : chosenSources(io, question.chosen)
}

async function inForce(io: Io, { stores, store }: PolicyQuestion): Promise<PolicySources> {
  const documents = await openPolicies(setupOrFail(io), stores).documents()
  const own = ownFile(documents)
  const files = filesOfStore(documents, store)
  const relevant = documents.filter(
    (d) => d.path === own?.label || files.some((file) => file.label === d.path),
  )
  await reportProblems(io, relevant)
  return { own, store: files, chosen: null }
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
    throw new CliError(EXIT.usage, errors.map(problemText).join('\n'), { problems: errors })
  }
  for (const problem of problems) await note(io, `warning: ${problemText(problem)}`)
}

/** `file:line:column key: message`, as editors understand it. */
export function problemText({ file, line, column, key, message }: SourceProblem): string {
  return `${file}:${line}:${column} ${key === '' ? '' : `${key}: `}${message}`
}
