import { basename } from 'node:path'
import { readSetupAnyway } from '../../../compose/lenient-setup'
import { findStores } from '../../../compose/open'
import { choosePolicy, openPolicies, UnknownPolicyFile } from '../../../compose/policy/policies'
import { ownFile, policySources } from '../../../compose/policy/policy-sources'
import { settingsProblems } from '../../../compose/settings-problems'
import { ownSettingsPath } from '../../../compose/setup'
import { askingStores } from '../../../compose/stores/store-asks'
import { effectivePolicy } from '../../../core/policy/effective'
import { placedContradictions } from '../../../core/policy/placed-contradictions'
import type { SyntaxProblem } from '../../../core/policy/source-tree'
import { reasonOf } from '../../../core/words/reason-of'
import { contradictionProblems, type PolicyDocument } from '../../../engine/policy/policy-store'
import { type StoreAsksView, storeAsksView } from '../../../view/policy/store-asks'
import { problemText } from '../../choose/chosen-policy'
import { notePassedOver } from '../../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../../io'
import { asksText } from '../../print/note-asks'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

type Checked = {
  readonly documents: readonly PolicyDocument[]
  readonly problems: readonly SyntaxProblem[]
  /** What stores ask for and the operator decides. */
  readonly asking: readonly StoreAsksView[]
  /** Where the operator's settings are, or would be; null where they are not asked for. */
  readonly settingsFile: string | null
}

/**
 * Judges the files that are named; without any, all that is in force: our own settings file and those of the runtimes,
 * each alone and together as they govern the sessions of a store. Exit code 1 when there is an error in one.
 * @throws CliError (4) where a file is missing or cannot be read
 */
export async function policyCheck(
  io: Io,
  options: { readonly rest: readonly string[]; readonly store?: readonly string[]; readonly json?: boolean },
): Promise<ExitCode> {
  const {
    documents,
    problems: found,
    asking,
    settingsFile,
  } = options.rest.length === 0 ? await inForce(io, options.store) : await named(io, options.rest)
  const problems = distinct(found)
  const ok = problems.every((problem) => problem.severity !== 'error')
  const files = documents.map(({ path, exists, file, role }) => ({
    ...{ file: path, exists, format: file.label, role },
  }))
  if (options.json) await writeJson(io, { ok, files, problems, asks: asking })
  else {
    for (const problem of problems)
      await write(io.stdout, `${problem.severity}: ${toTerminal(problemText(problem))}\n`)
    for (const { file, format } of files) await write(io.stdout, `${toTerminal(file)}: ${format}\n`)
    if (files.length === 0) await write(io.stdout, 'There is no settings file: the defaults are in force.\n')
    const asks = settingsFile === null ? '' : asksText(asking, settingsFile)
    if (asks !== '') await write(io.stdout, `\n${asks}\n`)
    await write(io.stdout, ok ? 'No errors.\n' : 'There are errors.\n')
  }
  return ok ? EXIT.done : EXIT.no
}

async function inForce(io: Io, named: readonly string[] | undefined): Promise<Checked> {
  const read = readSetupAnyway(io.env, io.cwd)
  if (!read.ok) throw new CliError(EXIT.usage, read.problems.join('\n'), { problems: read.problems })
  const { setup } = read
  notePassedOver(io, setup)
  const { stores } = await findStores(setup, io.env, named ?? null)
  const policies = openPolicies(setup, stores)
  const documents = await readable(policies.documents().then((all) => all.filter(({ exists }) => exists)))
  // A settings file that was named and is not there is in no list; what is wrong with its text is found below.
  if (read.problems.length > 0 && ownFile(documents) === null)
    throw new CliError(EXIT.unreadable, read.problems.join('\n'), { problems: read.problems })
  const together = stores.flatMap((store): SyntaxProblem[] => {
    const sources = policySources(documents, store)
    return placedContradictions(
      sources,
      effectivePolicy(sources, { ...ANY_SESSION, store: [store.id, store.root] }),
    ).flatMap(({ severity, message, place }) =>
      place === null ? [] : [{ severity, message, column: 1, ...place }],
    )
  })
  return {
    documents,
    asking: askingStores(setup, documents, stores).map(storeAsksView),
    settingsFile: ownSettingsPath(setup),
    problems: [
      ...documents.flatMap((document) =>
        problemsOf(document, document.role === 'own', setup.environment.userHome),
      ),
      ...together,
    ],
  }
}

const ANY_SESSION = { agent: null, channel: null, model: null, session: [] }

async function named(io: Io, paths: readonly string[]): Promise<Checked> {
  const documents: PolicyDocument[] = []
  for (const path of paths) {
    const { document } = await readable(
      choosePolicy(path, io.cwd).catch((error: unknown) => {
        throw error instanceof UnknownPolicyFile ? new CliError(EXIT.unreadable, error.message) : error
      }),
    )
    if (document === null) throw new CliError(EXIT.usage, `${path} is a preset, not a file.`)
    documents.push(document)
  }
  const home = io.env.HOME ?? io.cwd
  const isOurs = ({ path, file }: PolicyDocument) =>
    file.format === 'plimsoll' || basename(path).startsWith('plimsoll.')
  const problems = documents.flatMap((document) => problemsOf(document, isOurs(document), home))
  return { documents, problems, asking: [], settingsFile: null }
}

/** @param isOurs it holds our settings besides the policy */
function problemsOf(
  { path, text, file }: PolicyDocument,
  isOurs: boolean,
  userHome: string,
): SyntaxProblem[] {
  return [
    ...file.problems,
    ...contradictionProblems(file, path),
    ...(isOurs ? settingsProblems(path, text, userHome) : []),
  ]
}

/** A file that is there and cannot be read. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(EXIT.unreadable, reasonOf(error))
  }
}

/** The same contradiction is found in a file alone, and for each store that it counts for. */
function distinct(problems: readonly SyntaxProblem[]): SyntaxProblem[] {
  const seen = new Map(
    problems.map((problem) => [`${problem.file}\n${problem.line}\n${problem.message}`, problem]),
  )
  return [...seen.values()]
}
