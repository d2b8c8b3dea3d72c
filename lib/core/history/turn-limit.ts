import type { Policy } from '../policy/policy'
import { parseSessionKey } from './session-key'

/**
 * How many user turns of a session are sent, and what says so. `turns` is null when there is no limit; `path` is the
 * policy's value that decided, for looking up its origin.
 */
export type TurnLimit = {
  readonly turns: number | null
  readonly rule: 'user' | 'direct' | 'group' | 'general' | 'none'
  readonly path: string | null
}

const NO_LIMIT: TurnLimit = { turns: null, rule: 'none', path: null }

/**
 * The turn limit of a session: the rule for this person, else the channel's for direct messages or for groups and
 * channels, else the general one. Threads and topics share the limit of their conversation. Sessions without a user,
 * and keys that cannot be read, have none; a session without a key (other runtimes) has the general one.
 *
 * A rule of 0 means "no limit here", as OpenClaw takes it, and ends the search; null means "no rule".
 */
export function resolveTurnLimit(history: Policy['history'], key: string | null): TurnLimit {
  const general = decide(history.maxTurns, 'general', 'history.maxTurns') ?? NO_LIMIT
  if (key === null) return general
  const session = parseSessionKey(key)
  if (session === null) return NO_LIMIT
  if (session.kind === 'own') return general
  if (!('peer' in session)) return NO_LIMIT
  const name = ownKey(history.channels, session.channel)
  const channel = name === null ? undefined : history.channels[name]
  if (channel === undefined) return general
  const path = `history.channels.${name}`
  if (session.kind !== 'direct') return decide(channel.groupTurns, 'group', `${path}.groupTurns`) ?? general
  const user = ownKey(channel.users, session.peer)
  return (
    (user === null ? null : decide(channel.users[user], 'user', `${path}.users.${user}`)) ??
    decide(channel.dmTurns, 'direct', `${path}.dmTurns`) ??
    general
  )
}

function decide(turns: number | null | undefined, rule: TurnLimit['rule'], path: string): TurnLimit | null {
  if (turns === null || turns === undefined) return null
  return { turns: turns > 0 ? turns : null, rule, path }
}

/**
 * The key of a record that names this one: as written, else in another case, since runtimes write session keys in
 * lower case and operators copy ids as they find them.
 */
function ownKey(record: object, wanted: string | null): string | null {
  if (wanted === null) return null
  if (Object.hasOwn(record, wanted)) return wanted
  const lower = wanted.toLowerCase()
  return Object.keys(record).find((name) => name.toLowerCase() === lower) ?? null
}
