import 'server-only'
import { newSignInCode, secretHash } from '../../config/token'
import { bearerOf, isSameSecret, sessionIdsOf } from '../../core/access/credentials'
import { doorState } from './door-state'

/** Every account on this machine is let in: the operator set it so. */
export function isOpenToLocalUsers(): boolean {
  return doorState().token === null
}

/** Name of this server among those of its host, for cookies: its state folder and the port that it was asked at. */
export function serverName(host: string | null): string {
  return `${doorState().server}_${/:(\d+)$/.exec(host ?? '')?.[1] ?? 'default'}`
}

/** Whether who sent these headers is let in now; for what goes on longer than a request. */
export function isStillSignedIn(headers: Headers): boolean {
  const { token, sessions } = doorState()
  if (token === null || hasToken(headers)) return true
  const ids = sessionIdsOf(headers.get('cookie'), serverName(headers.get('host')))
  return ids.some((id) => sessions.isOpen(secretHash(id), Date.now()))
}

/** Whether these headers carry the token itself. */
export function hasToken(headers: Headers): boolean {
  const bearer = bearerOf(headers.get('authorization'))
  const { token } = doorState()
  return bearer !== null && token !== null && isSameSecret(bearer, token)
}

/** Makes a sign-in link that lets one browser in. @returns its code */
export function addSignInLink(): string {
  const code = newSignInCode()
  doorState().sessions.addLink(secretHash(code), Date.now())
  return code
}
