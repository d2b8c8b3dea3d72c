import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { StatedVersion } from '../../core/policy/runtime/openclaw-release'
import { parseObject } from '../../core/transcript/json'
import { transcriptBeginning, transcriptEnd } from './transcript-beginning'

/** A version is a short text; what is longer is none. */
const MAX_CHARS = 64

/**
 * The newest transcript of a store: in its newest folder, and the newest folder in that, so many levels deep. Without
 * going through all of a store, which a question for every page cannot.
 */
export function newestFileBelow(root: string, levels: number): string | null {
  let folder: string | null = root
  for (let level = 0; level < levels && folder !== null; level++)
    folder = newestIn(folder, 'folder') ?? folder
  return folder === null ? null : newestIn(folder, 'file')
}

/** The release that is named at the beginning of a transcript. @param pattern with the version as its group */
export function versionWritten(file: string | null, pattern: RegExp): StatedVersion | null {
  if (file === null) return null
  const value = pattern.exec(transcriptBeginning(file))?.[1]
  return value === undefined ? null : { value, from: file }
}

/**
 * The release that wrote the end of a transcript whose lines name it each: a session goes on after an update. Null where
 * none of its last lines does.
 */
export function lastVersionWritten(file: string | null): StatedVersion | null {
  if (file === null) return null
  for (const line of transcriptEnd(file).split('\n').reverse()) {
    const version = parseObject(line)?.version
    if (typeof version === 'string' && version !== '' && version.length <= MAX_CHARS)
      return { value: version, from: file }
  }
  return null
}

function newestIn(folder: string, wanted: 'folder' | 'file'): string | null {
  let newest: { readonly path: string; readonly at: number } | null = null
  for (const entry of entriesOf(folder)) {
    const isWanted =
      wanted === 'folder' ? entry.isDirectory() : entry.isFile() && entry.name.endsWith('.jsonl')
    if (!isWanted) continue
    const file = path.join(folder, entry.name)
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (at !== undefined && (newest === null || at > newest.at)) newest = { path: file, at }
  }
  return newest?.path ?? null
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The listing of the store says why it cannot be read.
    return []
  }
}
