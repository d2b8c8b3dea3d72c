import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isTranscriptName } from '../../core/transcript/formats/transcript-name'
import type { FoundStore } from '../../engine/read/ports'
import type { SourceProblem } from '../../engine/read/source-problem'
import { errorCode } from '../files/regular-file'
import { openClawLayout } from '../stores/openclaw-layout'
import { walkTranscriptNames } from './walk-transcripts'

/** Part of every fingerprint; goes up when the same files would be found, described or listed otherwise. */
const FINGERPRINT_VERSION = '3'

/**
 * A fingerprint of everything that finding and listing a JSONL store draw on: one listing of each folder and one stat
 * of each transcript, index, catalogue and configuration, none of which is opened. While it stays the same, so do the
 * store's state and its listing. Null when something could not be examined, and for SQLite stores, where the listing
 * itself is cheap.
 */
export function fingerprintRoot({
  era,
  kind,
  root,
}: Pick<FoundStore, 'era' | 'kind' | 'root'>): string | null {
  if (era !== 'jsonl') return null
  return kind === 'openclaw' ? fingerprintAgents(root) : fingerprintFiles(root)
}

/**
 * The fingerprint of a folder of transcripts. @param onOpenClaw called with the OpenClaw folders in it, which are other
 * stores
 */
export function fingerprintFiles(root: string, onOpenClaw?: (folder: string) => void): string | null {
  return fingerprint((notes) => {
    notes.file(path.join(path.dirname(root), 'models.json'))
    const problems: SourceProblem[] = []
    const other = (folder: string) => {
      notes.text(folder)
      onOpenClaw?.(folder)
    }
    for (const file of walkTranscriptNames(root, problems, other)) notes.file(file)
    if (problems[0] !== undefined) throw problems[0]
  })
}

/** The fingerprint of the transcript files of an OpenClaw folder. */
export function fingerprintAgents(root: string): string | null {
  return fingerprint((notes) => {
    const { places, only, stateFolder, problems } = openClawLayout(root)
    if (problems[0] !== undefined) throw problems[0]
    if (stateFolder !== null) noteFolder(notes, stateFolder, isJson)
    for (const { sessions, imports, database, models } of places) {
      for (const file of [only, models, database, database && `${database}-wal`])
        if (file !== null) notes.file(file)
      for (const folder of [sessions, imports]) if (folder !== null) noteFolder(notes, folder, isListed)
    }
  })
}

const isJson = (name: string) => name.endsWith('.json')
const isListed = (name: string) => isTranscriptName(name) || name === 'sessions.json'

function fingerprint(visit: (notes: Notes) => void): string | null {
  const notes = new Notes()
  try {
    visit(notes)
    return notes.digest()
  } catch {
    // The listing will say what is wrong.
    return null
  }
}

function noteFolder(notes: Notes, folder: string, counts: (name: string) => boolean): void {
  try {
    const names = readdirSync(folder)
    // A link to it may come to lead somewhere else, and out of the store.
    notes.text(realpathSync.native(folder))
    for (const name of names) if (counts(name)) notes.file(folder + path.sep + name, name)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    notes.text(folder)
  }
}

const FIRST_FILES = 512
const STAT_NUMBERS = 6
const NO_THROW = { throwIfNoEntry: false } as const

/** What was seen, gathered and hashed at once: ten thousand small updates of a hash cost more than the stats. */
class Notes {
  private readonly texts = [FINGERPRINT_VERSION]
  private numbers = new Float64Array(FIRST_FILES * STAT_NUMBERS)
  private length = 0

  text(text: string): void {
    this.texts.push(text)
  }

  /** @param text tells it from others; its name is enough where the folder has been noted */
  file(file: string, text = file): void {
    const entry = lstatSync(file, NO_THROW)
    // What a link leads to may change without the link.
    const stat = entry?.isSymbolicLink() ? statSync(file, NO_THROW) : entry
    this.texts.push(text)
    if (this.length === this.numbers.length) {
      const more = new Float64Array(2 * this.length)
      more.set(this.numbers)
      this.numbers = more
    }
    // What is absent leaves zeros.
    if (stat !== undefined) {
      this.numbers[this.length] = stat.mode
      this.numbers[this.length + 1] = stat.dev
      this.numbers[this.length + 2] = stat.ino
      this.numbers[this.length + 3] = stat.size
      this.numbers[this.length + 4] = stat.mtimeMs
      this.numbers[this.length + 5] = stat.ctimeMs
    }
    this.length += STAT_NUMBERS
  }

  digest(): string {
    const numbers = this.numbers.subarray(0, this.length)
    return createHash('sha256').update(this.texts.join('\0')).update(numbers).digest('base64url')
  }
}
