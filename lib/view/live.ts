/** What the live line carries from server to page. */
export type LiveMessage = {
  /** Revision of the database; grows with every change. */
  readonly revision: number
  /** Sessions that changed since the message before; empty in the first message. */
  readonly sessions: readonly string[]
  /** More changed than are listed: everything on the page may be old. */
  readonly all: boolean
}

/** Server-sent event names. `beat` only says that the line is alive. */
export const LIVE_EVENTS = { change: 'change', beat: 'beat' } as const

/** Time between two beats when nothing changes, in milliseconds. */
export const LIVE_BEAT_MS = 5_000

/** A message of the line, or null when it is not one. */
export function parseLiveMessage(text: string): LiveMessage | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const { revision, sessions, all } = value as Record<string, unknown>
  if (typeof revision !== 'number' || !Array.isArray(sessions) || typeof all !== 'boolean') return null
  return { revision, sessions: sessions.filter((id): id is string => typeof id === 'string'), all }
}

/** Whether a query with this key shows something that the message says has changed. */
export function isTouched(queryKey: readonly unknown[], message: LiveMessage): boolean {
  if (queryKey[0] !== 'session') return true
  return message.all || message.sessions.includes(String(queryKey[1]))
}
