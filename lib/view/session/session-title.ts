import { shownText } from '../text/shown-text'

/** What names a session; all of it was written by others. */
export type SessionNames = {
  readonly name: string | null
  readonly key: string | null
  readonly sessionId: string
  readonly agent?: string | null
  readonly channel?: string | null
}

/** Longer names are cut here before they travel to a page. */
const MAX_TITLE = 160

/** The name of a session on one line, safe to print: its name, else its key, else its id. */
export function sessionTitle(session: SessionNames): string {
  const name = session.name && readableName(session.name)
  const text = shownText(name || session.key || session.sessionId)
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1)}…` : text
}

/** `[cron:<id> <job>] <text>` begins every message of OpenClaw's scheduler; the id says nothing to a reader. */
const SCHEDULED = /^\[cron:[0-9a-f-]{36}\s+([^\]]+)\]\s*/

/** A name with what is only for machines left out: `heartbeat: Execute the sequence …`. */
export function readableName(name: string): string {
  return name.trim().replace(SCHEDULED, '$1: ')
}

/** `harbour · telegram`: agent and channel where they are known; '' when neither is. */
export function sessionPlace(session: Pick<SessionNames, 'agent' | 'channel'>): string {
  return [session.agent, session.channel]
    .filter((part): part is string => Boolean(part))
    .map(shownText)
    .join(' · ')
}
