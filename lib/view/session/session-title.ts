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

/**
 * Blocks that OpenClaw puts before what a person wrote: `Sender (untrusted metadata): ```json … ````. A name is the
 * beginning of a message, so that the last of them may have no end.
 */
const METADATA = /^[A-Z][A-Za-z ]{0,40}\(untrusted[^)]{0,60}\):\s*```(?:json)?.*?(?:```\s*|$)/s

/** `[Wed 2026-02-11 08:30 UTC]` before a message. */
const SENT_AT = /^\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]]{0,20}\]\s*/

/** Marks of a heading, and of a block of code: how the message looks, and no part of what it says. */
const MARKUP = /^#{1,6}\s+|```[\w-]*\s*/gm

/**
 * A heading that says what follows, and the block of code that follows: `## User Input ```text …`. The block is what was
 * said.
 */
const HEADED_BLOCK = /^#{1,6}\s+[^`\n]{1,40}?\s*```[\w-]*\s+(?=\S)/

/** How Claude Code writes that one of its commands was typed; a name is cut, so that the end may be missing. */
const COMMAND = /<command-name>([^<]{1,80})<\/command-name>/
const COMMAND_ARGUMENTS = /<command-args>([^<]*)/

/** What OpenClaw asks at each heartbeat; every one of its sessions begins so. */
const HEARTBEAT = /^\[OpenClaw heartbeat poll\]/i

/** A name with what is only for machines left out: `heartbeat: Execute the sequence …`; '' when nothing is left. */
export function readableName(name: string): string {
  let text = name.trim()
  // A message has a few such blocks at most.
  for (let i = 0; i < 8; i++) {
    const rest = text.replace(METADATA, '').replace(SENT_AT, '')
    if (rest === text) break
    text = rest
  }
  const command = COMMAND.exec(text)?.[1]
  if (command !== undefined && text.startsWith('<command-'))
    return `${command} ${COMMAND_ARGUMENTS.exec(text)?.[1] ?? ''}`.trim()
  return text
    .replace(SCHEDULED, '$1: ')
    .replace(HEARTBEAT, 'Heartbeat:')
    .replace(HEADED_BLOCK, '')
    .replace(MARKUP, '')
    .replace(/^Heartbeat:\s*$/, 'Heartbeat')
}

/** `harbour · telegram`: agent and channel where they are known; '' when neither is. */
export function sessionPlace(session: Pick<SessionNames, 'agent' | 'channel'>): string {
  return [session.agent, session.channel]
    .filter((part): part is string => Boolean(part))
    .map(shownText)
    .join(' · ')
}
