import type { Bytes, Milliseconds } from '../../core/units/units'
import { formatBytes, formatCount, formatDuration } from '../text/format'

/** Something about the reading of stores that everybody who looks at a page should know. */
export type ReadingNotice = { readonly tone: 'danger' | 'attention' | 'neutral'; readonly text: string }

/** Notices as the live line carries them, or null when they are none. */
export function parseReadingNotices(text: string): readonly ReadingNotice[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every(isNotice) ? value : null
  } catch {
    return null
  }
}

function isNotice(value: unknown): value is ReadingNotice {
  if (typeof value !== 'object' || value === null || !('tone' in value) || !('text' in value)) return false
  return /^(danger|attention|neutral)$/.test(String(value.tone)) && typeof value.text === 'string'
}

/** How far a long reading is. */
type Progress = {
  readonly startedAt: Milliseconds
  readonly at: Milliseconds
  readonly sessions: number
  readonly finished: number
  readonly bytes: Bytes
  readonly bytesRead: Bytes
}

/** What `ReadingState` comes to, in words; empty when this dashboard reads its stores, and is done with what there is. */
export function readingNotices(state: {
  readonly reader: 'own' | 'other' | 'none'
  readonly holder: { readonly pid: number; readonly host: string; readonly since: number } | null
  readonly disk: string | null
  readonly progress: Progress | null
}): readonly ReadingNotice[] {
  const notices: ReadingNotice[] = []
  if (state.disk !== null) notices.push({ tone: 'danger', text: state.disk })
  if (state.reader === 'none') notices.push({ tone: 'attention', text: NO_READER })
  if (state.reader === 'other' && state.holder !== null)
    notices.push({ tone: 'neutral', text: other(state.holder) })
  if (state.progress !== null) notices.push({ tone: 'neutral', text: reading(state.progress) })
  return notices
}

const NO_READER =
  'The stores are not being read now, so what agents write does not show here. The reader starts again by itself; if this stays, the terminal of “plimsoll serve” says why.'

function other({ pid, host, since }: { pid: number; host: string; since: number }): string {
  const at = new Date(since).toISOString().slice(0, 16).replace('T', ' ')
  return `Another Plimsoll reads the stores into this database: process ${pid} on ${host}, since ${at} UTC. What it reads shows here as well, from its stores and not from those that this one was given; when it ends, this one takes over. For a separate dashboard, start this one with another PLIMSOLL_HOME.`
}

/** Too little has been read by then to say how long the rest takes. */
const LEAST_SHARE = 0.01

function reading({ startedAt, at, sessions, finished, bytes, bytesRead }: Progress): string {
  // Of a store in a database only the sessions are counted.
  const share = bytes > 0 ? bytesRead / bytes : finished / sessions
  const size = bytes > 0 ? `, ${formatBytes(bytesRead)} of ${formatBytes(bytes)}` : ''
  const left = (at - startedAt) * (1 / share - 1)
  const time = share >= LEAST_SHARE && share < 1 ? `, ≈ ${formatDuration(Math.max(1_000, left))} left` : ''
  return `Reading the stores, newest sessions first: ${formatCount(finished)} of ${formatCount(sessions)} sessions${size}${time}. Sums over all sessions are not whole until then.`
}
