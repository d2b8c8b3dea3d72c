import 'server-only'
import { readingState } from '../../compose/ingest/reading-state'
import type { Milliseconds } from '../../core/units/units'
import { type ReadingNotice, readingNotices } from '../../view/shell/reading-notice'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'

/** Pages that are made within this time look once. Milliseconds. */
const FRESH_MS = 2_000
/** The reader takes a moment to start, and to start again. Seconds. */
const STARTING_S = 15

/** A reading that has said nothing for so long has ended, or goes on too slowly to say when it ends. */
const SILENT_MS = 30_000

const memory = oncePerProcess(
  'reading notices',
  (): { at: number; sinceNone: number | null; notices: readonly ReadingNotice[] } => ({
    at: 0,
    sinceNone: null,
    notices: [],
  }),
)

/** What there is to say about who reads the stores, and about room for it. What cannot be examined says nothing. */
export function getReadingNotices(): readonly ReadingNotice[] {
  const now = Date.now()
  if (now - memory.at < FRESH_MS) return memory.notices
  memory.at = now
  memory.notices = look(now)
  return memory.notices
}

function look(now: Milliseconds): readonly ReadingNotice[] {
  try {
    const state = readingState(getSetup().environment, process.ppid)
    memory.sinceNone = state.reader === 'none' ? (memory.sinceNone ?? now) : null
    const isStarting = process.uptime() < STARTING_S || now - (memory.sinceNone ?? now) < STARTING_S * 1000
    const reader = state.reader === 'none' && isStarting ? 'own' : state.reader
    const { progress } = state
    const isFresh = progress !== null && now - progress.at < SILENT_MS
    return readingNotices({ ...state, reader, progress: isFresh ? progress : null })
  } catch {
    return []
  }
}
