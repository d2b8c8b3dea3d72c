import { createHash, type Hash } from 'node:crypto'
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { isTranscriptName } from '../core/transcript/formats/transcript-name'
import type { FoundStore } from '../engine/ports'
import type { SourceProblem } from '../engine/source-problem'
import { errorCode } from './regular-file'
import { openClawLayout } from './stores/openclaw-layout'
import { walkTranscripts } from './walk-transcripts'

/**
 * A fingerprint of everything that a listing of a JSONL store draws on: one listing of each folder and one stat of each
 * transcript, index, catalogue and configuration, none of which is opened. While it stays the same, so does the
 * listing. Null when something could not be looked at, and for SQLite stores, where the listing itself is cheap.
 */
export function glanceAt(store: FoundStore): string | null {
  if (store.era !== 'jsonl') return null
  const hash = createHash('sha256')
  try {
    if (store.kind === 'pi') glanceAtFiles(hash, store.root)
    else glanceAtAgents(hash, store.root)
    return hash.digest('base64url')
  } catch {
    // The listing will say what is wrong.
    return null
  }
}

function glanceAtFiles(hash: Hash, root: string): void {
  note(hash, path.join(path.dirname(root), 'models.json'))
  const problems: SourceProblem[] = []
  for (const file of walkTranscripts(root, problems)) note(hash, file)
  if (problems[0] !== undefined) throw problems[0]
}

function glanceAtAgents(hash: Hash, root: string): void {
  const { places, only, stateFolder, problems } = openClawLayout(root)
  if (problems[0] !== undefined) throw problems[0]
  if (stateFolder !== null) noteFolder(hash, stateFolder, isJson)
  for (const { sessions, imports, database, models } of places) {
    for (const file of [only, models, database, database && `${database}-wal`])
      if (file !== null) note(hash, file)
    for (const folder of [sessions, imports]) if (folder !== null) noteFolder(hash, folder, isListed)
  }
}

const isJson = (name: string) => name.endsWith('.json')
const isListed = (name: string) => isTranscriptName(name) || name === 'sessions.json'

function noteFolder(hash: Hash, folder: string, counts: (name: string) => boolean): void {
  hash.update(`${folder}\n`)
  for (const name of namesIn(folder)) if (counts(name)) note(hash, folder + path.sep + name)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function note(hash: Hash, file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  hash.update(`${file} ${describe(stat?.isSymbolicLink() ? followed(file) : stat)}\n`)
}

/** What a link leads to may change without the link. */
function followed(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false })
}

function describe(stat: Stats | undefined): string {
  return stat === undefined ? '-' : `${stat.mode} ${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
}
