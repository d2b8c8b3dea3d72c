import 'server-only'
import { readEnvironment } from '../../config/env'
import { ensureToken, secretHash } from '../../config/token'
import { Attempts } from '../../core/access/attempts'
import { decideBind } from '../../core/access/bind-address'
import { BrowserSessions } from '../../core/access/browser-sessions'
import type { AccessRules } from '../../core/access/request-guard'
import { oncePerProcess } from '../process/process-memory'

/** What the door knows; it stays the same while the server runs. */
export type DoorState = {
  readonly rules: AccessRules
  /** What lets a program or a browser in; null when everybody on this machine is. */
  readonly token: string | null
  /** The operator chose the token. */
  readonly ownToken: boolean
  /** Part of the names of its cookies; the port is added. */
  readonly server: string
  readonly sessions: BrowserSessions
  readonly attempts: Attempts
}

/**
 * The state of this server's door.
 * @throws Error when it must not be opened, or its token cannot be read: better no answer than an open door
 */
export function doorState(): DoorState {
  return oncePerProcess('door', makeState)
}

function makeState(): DoorState {
  const read = readEnvironment(process.env, process.cwd())
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const { host, token: given, openToLocalUsers: open, home } = read.environment
  const decision = decideBind({ host, token: given, open })
  if (!decision.ok) throw new Error(decision.message)
  const sessions = new BrowserSessions()
  // The hash of the code in the link that `serve` prints.
  const link = process.env.PLIMSOLL_SIGN_IN_LINK
  if (link) sessions.addLink(link, Date.now())
  return {
    rules: decision.rules,
    token: open ? null : (given ?? ensureToken(home)),
    ownToken: given !== null,
    server: secretHash(home).slice(0, 8),
    sessions,
    attempts: new Attempts(),
  }
}
