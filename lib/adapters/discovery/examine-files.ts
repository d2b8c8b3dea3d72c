import { existsSync } from 'node:fs'
import path from 'node:path'
import type { FoundStore } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { examineSource } from '../sources/examine-source'
import { recogniseFile } from '../sources/recognise'
import { SOURCES } from '../sources/sources'
import { examineOpenClaw } from './examine-openclaw'
import type { Examiner } from './examiner'
import { foundStore, joinProblems, labelOf, stateFor } from './found-store'
import { fingerprintFiles } from './store-fingerprint'
import { isPiFolder, walkTranscripts } from './walk-transcripts'

/** `~/.pi` and `~/.pi/agent` represent the sessions in them. */
export function piSessionsIn(folder: string): string {
  for (const below of ['agent/sessions', 'sessions']) {
    const candidate = path.join(folder, below)
    if (/^(\.pi|agent)$/.test(path.basename(folder)) && existsSync(candidate)) return candidate
  }
  return folder
}

/** The store of a pi sessions folder. */
export function examinePi(examiner: Examiner, root: string): FoundStore {
  const problems: SourceProblem[] = []
  const [first] = walkTranscripts(root, problems)
  return verdict(labelOf('pi', root, examiner.home), root, first !== undefined, problems, [])
}

/**
 * The stores of any other folder: its own transcripts, and the OpenClaw folders below it.
 */
export async function examineFiles(examiner: Examiner, root: string): Promise<FoundStore[]> {
  const labels = ['pi', 'Transcripts'].map((name) => labelOf(name, root, examiner.home))
  const known: string[] = []
  const fingerprint = () => fingerprintFiles(root, (folder) => known.push(folder))
  const before = examiner.recall.unchanged('pi', root, labels, fingerprint)
  if (before !== null) {
    const others = SOURCES.filter(({ kind }) => examiner.recall.knows(kind, root))
    const again: FoundStore[] = []
    for (const source of others) again.push(await examineSource(examiner, source, root))
    return [...(await examineInside(examiner, known)), ...again, before]
  }
  const problems: SourceProblem[] = []
  const inside: string[] = []
  const foreign: string[] = []
  let files = 0
  let pi = 0
  const walk = walkTranscripts(root, problems, {
    openClaw: (folder) => inside.push(folder),
    foreign: (file) => foreign.push(file),
  })
  for (const file of walk) {
    files++
    if (path.relative(root, file).split(path.sep).some(isPiFolder) || isPiFolder(path.basename(root))) pi++
  }
  const stores = await examineInside(examiner, inside)
  const owners = foreign.map((file) => recogniseFile(file))
  for (const source of new Set(owners))
    if (source !== null) stores.push(await examineSource(examiner, source, root))
  const unknown = foreign.filter((_, i) => owners[i] === null)
  if (files > 0 || stores.length === 0) {
    const label = labelOf(pi > 0 ? 'pi' : 'Transcripts', root, examiner.home)
    stores.push(verdict(label, root, files > 0, problems, leftOut(unknown)))
  }
  return stores
}

async function examineInside(examiner: Examiner, folders: readonly string[]): Promise<FoundStore[]> {
  const stores: FoundStore[] = []
  for (const folder of folders) stores.push(...(await examineOpenClaw(examiner, folder)))
  return stores
}

function leftOut(foreign: readonly string[]): string[] {
  if (foreign.length === 0) return []
  const files = foreign.length === 1 ? '1 .jsonl file holds' : `${foreign.length} .jsonl files hold`
  return [
    `${files} no transcript that is known and ${foreign.length === 1 ? 'is' : 'are'} left out: ${foreign[0]}${foreign.length > 1 ? ' …' : ''}`,
  ]
}

function verdict(
  label: string,
  root: string,
  found: boolean,
  problems: readonly SourceProblem[],
  notes: readonly string[],
): FoundStore {
  const text = joinProblems([...problems, ...notes])
  if (found) return foundStore('pi', 'jsonl', root, label, 'ok', text)
  if (problems[0] !== undefined)
    return foundStore('pi', 'jsonl', root, label, stateFor(problems[0].code), text)
  const empty = `${root} holds no transcripts. Expected are an OpenClaw state folder, a sessions folder of pi, Claude Code or Codex, or .jsonl files of these.`
  return foundStore('pi', 'jsonl', root, label, 'empty', joinProblems([empty, ...notes]))
}
