/** Who talks with whom in a conversation that a channel carries. */
type ConversationKind = 'direct' | 'group' | 'channel'

/** Sessions that no person leads: jobs, hooks, sub-agents, and those that gather what belongs nowhere. */
const UNATTENDED = ['cron', 'hook', 'subagent', 'acp', 'global', 'unknown'] as const

type UnattendedKind = (typeof UNATTENDED)[number]

/** What a session key says. `thread` is the number or name behind a `:thread:` or `:topic:` suffix. */
export type SessionKey =
  | {
      readonly kind: ConversationKind
      readonly agent: string | null
      /** null where direct sessions are kept per person, whatever the channel. */
      readonly channel: string | null
      readonly account: string | null
      readonly peer: string
      readonly thread: string | null
    }
  | { readonly kind: UnattendedKind; readonly agent: string | null }
  /** A session that an agent's owner leads without a channel: `main`, a dashboard's, a named one. */
  | {
      readonly kind: 'own'
      readonly agent: string | null
      readonly name: string
      readonly thread: string | null
    }

const KINDS = new Map<string, ConversationKind>([
  ['direct', 'direct'],
  ['dm', 'direct'],
  ['group', 'group'],
  ['channel', 'channel'],
])

const SUFFIX = /^(.+?):(?:thread|topic):([^:]+)$/is

/** Longer than any runtime writes one; whatever it is, it is no key. */
const MAX_LENGTH = 1024

/**
 * Reads a session key (lib/docs/openclaw.md#session-keys): `agent:<id>:<channel>:<kind>:<peer>`, the same with an
 * account before the kind or without `agent:<id>:`; sessions of the owner (`agent:<id>:main`); unattended ones
 * (`cron:<job>` …). Words are read in any case, ids keep theirs. null when it is none of these.
 */
export function parseSessionKey(key: string): SessionKey | null {
  if (key.length > MAX_LENGTH) return null
  const { base, thread } = stripThread(key.trim())
  const parts = base.split(':')
  if (word(parts[0]) !== 'agent') {
    if (word(base) === 'main') return { kind: 'own', agent: null, name: base, thread }
    return unattended(parts, null) ?? conversation(parts, null, thread)
  }
  const agent = parts[1]?.trim()
  const rest = parts.slice(2)
  if (agent === undefined || agent === '' || word(rest[0]) === '') return null
  return unattended(rest, agent) ?? conversation(rest, agent, thread) ?? own(rest, agent, thread)
}

/** A key without its thread and topic suffixes, and the innermost of them: limits are the same in all threads. */
export function stripThread(key: string): { readonly base: string; readonly thread: string | null } {
  let base = key
  let thread: string | null = null
  for (let match = SUFFIX.exec(base); match !== null; match = SUFFIX.exec(base)) {
    base = match[1] ?? ''
    thread ??= match[2] ?? null
  }
  return { base, thread }
}

function unattended(parts: readonly string[], agent: string | null): SessionKey | null {
  const kind = UNATTENDED.find((name) => name === word(parts[0]))
  return kind === undefined ? null : { kind, agent }
}

/** `<channel>:<kind>:<peer>`, `<channel>:<account>:<kind>:<peer>`, or `direct:<peer>`. Peers may hold colons. */
function conversation(
  parts: readonly string[],
  agent: string | null,
  thread: string | null,
): SessionKey | null {
  for (const at of [1, 0, 2]) {
    const kind = KINDS.get(word(parts[at]))
    if (kind === undefined || (at === 0 && (kind !== 'direct' || agent === null))) continue
    const peer = parts.slice(at + 1).join(':')
    const [channel, account] = parts.slice(0, at)
    if (isBlank(peer) || isBlank(channel ?? 'none') || isBlank(account ?? 'none')) return null
    return { kind, agent, channel: channel ?? null, account: account ?? null, peer, thread }
  }
  return null
}

/**
 * What is left when no part of it is a kind. A name with a kind in it, or with nothing between colons, is a torn key.
 */
function own(rest: readonly string[], agent: string, thread: string | null): SessionKey | null {
  if (rest.some((part) => isBlank(part) || KINDS.has(word(part)))) return null
  return { kind: 'own', agent, name: rest.join(':'), thread }
}

function word(part: string | undefined): string {
  return (part ?? '').trim().toLowerCase()
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
