import type { FoundStore } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import type { Examiner } from '../discovery/examiner'
import { foundStore, joinProblems, labelOf, stateFor } from '../discovery/found-store'
import { fingerprintFiles } from '../discovery/store-fingerprint'
import { filesOf } from './list-source'
import type { Source } from './source'

/** The store of a source's folder. */
export function examineSource(examiner: Examiner, source: Source, root: string): FoundStore {
  const { kind, name } = source
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
