/** On which way a provider made a checkpoint, as the runtime recorded it. The hashes are the runtime's (`routeHash`). */
export type Route = {
  readonly provider: string
  readonly api: string
  readonly model: string
  readonly baseUrlHash: string
  readonly sessionHash?: string
  readonly authProfileHash?: string
}

/** The parts of a route that no transcript has of a call. */
type HiddenRoute = Pick<Route, 'sessionHash' | 'authProfileHash'> & { readonly baseUrlHash?: string }

/** What is known of the way on which a call is made. */
export type CallRoute = {
  readonly provider: string | null
  readonly model: string | null
  /** null: not known, and taken to be the recorded one where provider and model are. */
  readonly api: string | null
  /** null: not known. Address and login are then taken to be the recorded ones, and so is a session that was not. */
  readonly hidden: HiddenRoute | null
  /** Hash of the session's own id; null when that is not known. */
  readonly session: string | null
}

/** Nothing is known of the call. */
export const UNKNOWN_ROUTE: CallRoute = {
  provider: null,
  model: null,
  api: null,
  hidden: null,
  session: null,
}

/** Whether what was recorded on a route belongs to a call. */
export function isSameRoute(route: Route, call: CallRoute): boolean {
  if (route.provider !== call.provider || route.model !== call.model) return false
  if (call.api !== null && route.api !== call.api) return false
  const { hidden } = call
  if (hidden === null) return isOwnSession(route, call.session)
  return (
    route.baseUrlHash === hidden.baseUrlHash &&
    route.sessionHash === hidden.sessionHash &&
    route.authProfileHash === hidden.authProfileHash
  )
}

/** A copy of another session's transcript carries that session's hash. */
export function isOwnSession(route: Route, session: string | null): boolean {
  return session === null || route.sessionHash === undefined || route.sessionHash === session
}

/**
 * The hash under which OpenClaw records address, session and login: a 64-bit mix of UTF-16 units, its halves in base 36.
 * Undefined for a blank text.
 */
export function routeHash(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < trimmed.length; i++) {
    const unit = trimmed.charCodeAt(i)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    high = Math.imul(high ^ unit, 0x5f356495)
  }
  const mixedLow = mixed(low, high)
  return [mixed(high, mixedLow), mixedLow].map((half) => (half >>> 0).toString(36)).join('')
}

function mixed(half: number, other: number): number {
  return Math.imul(half ^ (half >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
}
