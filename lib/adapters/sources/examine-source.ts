import type { FoundStore } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import type { Examiner } from '../discovery/examiner'
import { foundStore, joinProblems, labelOf, stateFor } from '../discovery/found-store'
import { fingerprintFiles } from '../discovery/store-fingerprint'
import { asSourceProblem } from '../files/regular-file'
import { filesOf } from './list-source'
import type { DatabaseReading, Source } from './source'

/** The store of a source's folder. */
export async function examineSource(examiner: Examiner, source: Source, root: string): Promise<FoundStore> {
  const { kind, name, reading } = source
  if (reading.era === 'sqlite') return examineDatabases(examiner, source, reading, root)
  const label = labelOf(name, root, examiner.home)
  const before = examiner.recall.unchanged(kind, root, [label], () => fingerprintFiles(root))
  if (before !== null) return before
  const problems: SourceProblem[] = []
  const [first] = filesOf(source, root, problems)
  const text = joinProblems(problems)
  if (first !== undefined) return foundStore(kind, 'jsonl', root, label, 'ok', text)
  if (problems[0] !== undefined)
    return foundStore(kind, 'jsonl', root, label, stateFor(problems[0].code), text)
  const empty = `${root} holds no transcripts of ${name} yet.`
  return foundStore(kind, 'jsonl', root, label, 'empty', empty)
}

/** Databases are listed anew only after they were written to, so there is nothing to recall of an earlier check. */
async function examineDatabases(
  { home, databases: { sqlite } }: Examiner,
  { kind, name }: Source,
  reading: DatabaseReading,
  root: string,
): Promise<FoundStore> {
  const label = labelOf(name, root, home)
  const make = (state: FoundStore['state'], text?: string) =>
    foundStore(kind, 'sqlite', root, label, state, text)
  let found = 0
  let problem: SourceProblem | null = null
  try {
    for await (const _ of reading.list(sqlite, make('ok'))) found++
  } catch (error) {
    problem = asSourceProblem(error, root)
  }
  if (found > 0) return make('ok', problem?.message)
  if (problem !== null) return make(stateFor(problem.code), problem.message)
  return make('empty', reading.emptyWords(root))
}
