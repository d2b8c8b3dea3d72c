import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FoundStore, StoreKind } from '../../engine/read/ports'
import { SourceProblem } from '../../engine/read/source-problem'
import { asSourceProblem, kindOf } from '../files/regular-file'
import { examineSource } from '../sources/examine-source'
import { recogniseFile } from '../sources/recognise'
import type { Source } from '../sources/source'
import { SOURCES, sourceNamed } from '../sources/sources'
import { listFolder } from '../stores/openclaw-layout'
import { examineFiles, examinePi, piSessionsIn } from './examine-files'
import { examineOpenClaw } from './examine-openclaw'
import type { Examiner } from './examiner'
import { foundStore, labelOf } from './found-store'
import { isOpenClawFolder, walkTranscriptNames } from './walk-transcripts'

/**
 * The stores at a path: two when an OpenClaw state folder has both eras, more when stores are below the path.
 *
 * @param kind what it is said to be; null: find out.
 * @throws SourceProblem when the path itself cannot be read. Code `missing`: nothing is there.
 */
export async function examineRoot(
  examiner: Examiner,
  target: string,
  kind: StoreKind | null,
): Promise<FoundStore[]> {
  const root = resolveRoot(target)
  if (!statSync(root).isDirectory()) return examineFile(examiner, root)
  if (kind === 'openclaw') return examineOpenClaw(examiner, root)
  if (kind === 'pi') return [examinePi(examiner, piSessionsIn(root))]
  const named = kind === null ? undefined : sourceNamed(kind)
  if (named !== undefined) return [await examineSource(examiner, named, sessionsIn(named, root))]
  const own = SOURCES.find((source) => source.discovery.owns(sessionsIn(source, root)))
  if (own !== undefined && (own.reading.era === 'sqlite' || isOf(own, sessionsIn(own, root))))
    return [await examineSource(examiner, own, sessionsIn(own, root))]
  const openClaw = openClawRoot(root)
  if (openClaw !== null) return examineOpenClaw(examiner, openClaw)
  return examineFiles(examiner, piSessionsIn(root))
}

/** The sessions folder that a folder represents, if it is there. */
function sessionsIn(source: Source, folder: string): string {
  const sessions = source.discovery.sessionsIn(folder)
  return sessions === folder || existsSync(sessions) ? sessions : folder
}

/** Whether a folder holds transcripts of a source: others give theirs the same name. */
function isOf(source: Source, folder: string): boolean {
  for (const file of walkTranscriptNames(folder, [], () => undefined))
    return recogniseFile(file)?.kind === source.kind
  return false
}

function resolveRoot(target: string): string {
  try {
    const root = realpathSync(target)
    const stat = statSync(root)
    if (stat.isDirectory()) readdirSync(root)
    else if (!stat.isFile()) {
      throw new SourceProblem('not-regular', target, `${target} is ${kindOf(stat)}; name a folder or a file.`)
    }
    return root
  } catch (error) {
    throw asSourceProblem(error, target)
  }
}

/** The folder as OpenClaw's own, or null. `…/agents` represents the state folder, whose settings belong to it. */
function openClawRoot(folder: string): string | null {
  const parent = path.dirname(folder)
  if (path.basename(folder) === 'agents' && isOpenClawFolder(parent, listFolder(parent, []))) return parent
  const entries = listFolder(folder, [])
  if (isOpenClawFolder(folder, entries)) return folder
  const isAgent =
    path.basename(parent) === 'agents' && entries.some(({ name }) => name === 'sessions' || name === 'agent')
  const isSessions = path.basename(folder) === 'sessions' && path.basename(path.dirname(parent)) === 'agents'
  return isAgent || isSessions ? folder : null
}

async function examineFile(examiner: Examiner, file: string): Promise<FoundStore[]> {
  const folder = path.dirname(file)
  if (file.endsWith('.sqlite')) return examineOpenClaw(examiner, file)
  const database = SOURCES.find(
    ({ reading, discovery }) => reading.era === 'sqlite' && discovery.isNamed(file),
  )
  if (database !== undefined) return [await examineSource(examiner, database, file)]
  // Beside an index, the file is one of OpenClaw's and has its entry there.
  if (openClawRoot(folder) !== null) return [foundStore('openclaw', 'jsonl', file, label(), 'ok')]
  const source = recogniseFile(file)
  if (source !== null) return [foundStore(source.kind, 'jsonl', file, label(), 'ok')]
  return [foundStore('pi', 'jsonl', file, label(), 'ok')]

  function label(): string {
    return labelOf('Transcript', file, examiner.home)
  }
}
