import { existsSync } from 'node:fs'
import { isTranscriptName } from '../../core/transcript/formats/transcript-name'
import { withFullStop } from '../../core/words/full-stop'
import type { FoundStore } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem } from '../files/regular-file'
import { newerSchema } from '../stores/agent-databases'
import { checkInside, hasEntry, type Layout, openClawLayout } from '../stores/openclaw-layout'
import type { Examiner } from './examiner'
import { foundStore, joinProblems, labelOf, stateFor } from './found-store'
import { fingerprintAgents } from './store-fingerprint'

/** The stores of an OpenClaw folder or agent database: the one in SQLite, the one in files, or both. */
export async function examineOpenClaw(examiner: Examiner, root: string): Promise<FoundStore[]> {
  const layout = openClawLayout(root)
  const label = labelOf('OpenClaw', root, examiner.home)
  const databases = await examineDatabases(examiner, root, layout, label)
  const files = examineTranscriptFiles(examiner, root, layout, label)
  if (databases === null) return [files]
  // An agent that never wrote files has no store of files.
  return files.state === 'empty' ? [databases] : [databases, files]
}

/** null: there is no agent database that holds, or should hold, transcripts. */
async function examineDatabases(
  { databases }: Examiner,
  root: string,
  layout: Layout,
  label: string,
): Promise<FoundStore | null> {
  const failures: SourceProblem[] = []
  const newer: SourceProblem[] = []
  let readable = 0
  let transcripts = 0
  for (const { database } of layout.places) {
    if (database === null || !existsSync(database)) continue
    try {
      const outside = layout.only === null ? checkInside(root, database) : null
      if (outside !== null) throw outside
      const found = await databases.get(database)
      const unknown = newerSchema(database, found)
      if (unknown !== null) newer.push(unknown)
      if (found.transcripts === null && layout.only === null) continue
      readable++
      transcripts += (found.transcripts?.length ?? 0) + found.archives.length
    } catch (error) {
      failures.push(asSourceProblem(error, database))
    }
  }
  const [first] = [...failures, ...newer]
  if (readable === 0 && first === undefined) return null
  const problem = joinProblems([...failures, ...newer])
  const make = (state: FoundStore['state'], text = problem) =>
    foundStore('openclaw', 'sqlite', root, label, state, text)
  if (newer.length > 0) return make('newer')
  if (readable === 0 && first !== undefined) return make(stateFor(first.code))
  if (transcripts > 0) return make('ok')
  return make(
    'empty',
    problem ?? `${root} holds no sessions yet. They appear here after the first conversation.`,
  )
}

function examineTranscriptFiles(
  { files, recall }: Examiner,
  root: string,
  layout: Layout,
  label: string,
): FoundStore {
  const before = recall.unchanged('openclaw', root, [label], () => fingerprintAgents(root))
  if (before !== null) return before
  const make = (state: FoundStore['state'], text?: string) =>
    foundStore('openclaw', 'jsonl', root, label, state, text)
  if (layout.only !== null) return make(layout.only.endsWith('.sqlite') ? 'empty' : 'ok')
  const problems: SourceProblem[] = [...layout.problems]
  const indexProblems: string[] = []
  let found = false
  for (const { sessions, imports } of layout.places) {
    const before = problems.length
    for (const folder of [sessions, imports]) {
      if (folder === null) continue
      const outside = checkInside(root, folder)
      if (outside !== null) problems.push(outside)
      else if (hasEntry(folder, isTranscriptName, problems)) found = true
    }
    if (sessions === null || problems.length > before) continue
    const problem = files.indexProblem(sessions)
    if (problem !== null) indexProblems.push(indexProblem(problem))
  }
  const text = joinProblems([...problems, ...indexProblems])
  if (found) return make('ok', text)
  if (problems[0] !== undefined) return make(stateFor(problems[0].code), text)
  return make(
    'empty',
    text ?? `${root} holds no sessions yet. They appear here after the first conversation.`,
  )
}

function indexProblem(problem: string): string {
  return `${withFullStop(problem)} Sessions are listed without their keys, names, windows and system prompt sizes until OpenClaw writes it anew, or it is restored from a copy.`
}
