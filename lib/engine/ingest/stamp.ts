import type { IndexEntry } from '../../core/transcript/session-index'
import { fingerprint } from '../read/fingerprint'
import { catalogueKey } from '../read/frame-setup'
import type { FoundTranscript, SourceStamp } from '../read/ports'

// Readers answer the same index object while the index has not changed.
const indexKeys = new WeakMap<IndexEntry, string>()

/**
 * Fingerprint of everything that an import of this transcript depends on. While it is the one of the last import,
 * there is nothing to do.
 * @param source the source as it was when it was read, if that is not what the listing saw
 */
export function stampOf(transcript: FoundTranscript, source: SourceStamp = transcript.stamp): string {
  const { dev, ino, size, mtimeMs } = source
  const { state, key, agent, index, windows } = transcript
  return `${dev}:${ino}:${size}:${mtimeMs}|${state}|${key ?? ''}|${agent ?? ''}|${indexKey(index)}|${catalogueKey(windows)}`
}

const SOURCE = /^(\d+):(\d+):(\d+):(\d+(?:\.\d+)?)\|/

/** The source as a fingerprint of `stampOf` has it; null when it is none. */
export function stampedSource(stamp: string): SourceStamp | null {
  const match = SOURCE.exec(stamp)
  if (match === null) return null
  const [dev = 0, ino = 0, size = 0, mtimeMs = 0] = match.slice(1).map(Number)
  return { dev, ino, size, mtimeMs }
}

function indexKey(index: IndexEntry | null): string {
  if (index === null) return ''
  const known = indexKeys.get(index)
  if (known !== undefined) return known
  const key = fingerprint(JSON.stringify(index))
  indexKeys.set(index, key)
  return key
}
