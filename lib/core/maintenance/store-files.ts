import { readTranscriptName } from '../transcript/formats/transcript-name'
import type { Milliseconds } from '../units/units'

/** A file in a store's folder. Size in bytes, time in milliseconds since the epoch. */
export type StoreFile = { readonly name: string; readonly size: number; readonly mtimeMs: Milliseconds }

/**
 * What a file of a sessions folder is to maintenance. `trace` belongs to a session but is no transcript; `leftover` is
 * a half-written index; `other` is not examined.
 */
export type StoreFileKind =
  | 'index'
  | 'rotated'
  | 'leftover'
  | 'transcript'
  | 'deleted'
  | 'reset'
  | 'backup'
  | 'trace'
  | 'other'

const INDEX = 'sessions.json'
/** What a compaction or a repair put aside under its own name. */
const MADE = /^(.+?)\.(?:checkpoint\.[0-9a-f-]{36}|corrupt-.+)\.jsonl$/i
const TRACE = /^(.+)\.trajectory(?:\.jsonl|-path\.json)$/

export function kindOfFile(name: string): StoreFileKind {
  if (name === INDEX) return 'index'
  if (/^sessions\.json\.bak\.\d+$/.test(name)) return 'rotated'
  if (/^sessions\.json\..+\.tmp$/.test(name)) return 'leftover'
  if (TRACE.test(name)) return 'trace'
  const read = readTranscriptName(name)
  if (read === null) return 'other'
  switch (read.state) {
    case 'live':
      return 'transcript'
    case 'deleted':
    case 'reset':
      return read.state
    case 'backup':
    case 'checkpoint':
      return 'backup'
    case 'imported':
      return 'other'
  }
}

/**
 * Name of the transcript that a file belongs to: its own, or the one that it was made from; null when there is none.
 */
export function transcriptOf(name: string): string | null {
  const made = TRACE.exec(name)?.[1] ?? MADE.exec(name)?.[1]
  if (made !== undefined) return `${made}.jsonl`
  return /^(.+?\.jsonl)(?:[.-].+)?$/.exec(name)?.[1] ?? null
}

/** Id of the session that a file belongs to, as far as its name tells. */
export function sessionOf(name: string): string | null {
  const transcript = transcriptOf(name)
  return transcript === null ? null : (readTranscriptName(transcript)?.sessionId ?? null)
}

/** `.deleted.` and `.reset.` names say when; null when one does not. Milliseconds since the epoch. */
export function archivedAt(name: string): number | null {
  const match = /\.(?:deleted|reset)\.(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}(?:\.\d+)?)Z/.exec(name)
  if (match === null) return null
  const time = Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`)
  return Number.isNaN(time) ? null : time
}

/** Name of an archived transcript, as both generations form it. */
export function archivedName(name: string, state: 'deleted' | 'reset', at: number): string {
  return `${name}.${state}.${new Date(at).toISOString().replaceAll(':', '-')}`
}
