/** How long a session in a browser lasts at the most, and without a sign of life. Milliseconds. */
export const SESSION_LIFE_MS = 7 * 86_400_000
export const SESSION_IDLE_MS = 12 * 3_600_000

/** How long a sign-in link is good. Milliseconds. */
export const LINK_LIFE_MS = 3_600_000

/** Marks an address that our own hop page has sent the browser to, so that it hops once. */
const HOP = 'from-link'

/** The token of an `Authorization` header; null when it has none. */
export function bearerOf(authorization: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null
}

/**
 * Name of the cookie that holds a session. Cookies are shared between the ports of a host, so it names the server, and two
 * servers do not sign each other out.
 * @param server tells servers of one host apart; letters and digits
 * @param secure the browser came by https: it then takes the cookie from this host alone, for all of it, over https only
 */
export function cookieName(server: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}plimsoll_session_${server}`
}

/** The session ids that a request carries for this server. */
export function sessionIdsOf(cookies: string | null, server: string): string[] {
  const names = [cookieName(server, true), cookieName(server, false)]
  return (cookies ?? '').split(';').flatMap((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2)
    return names.includes(name) && value !== '' ? [value] : []
  })
}

/** `Set-Cookie` for a new session, or with an empty id for none. */
export function sessionCookie(server: string, secure: boolean, id: string): string {
  const life = id === '' ? 0 : SESSION_LIFE_MS / 1000
  const parts = [
    `${cookieName(server, secure)}=${id}`,
    'Path=/',
    `Max-Age=${life}`,
    'HttpOnly',
    'SameSite=Strict',
  ]
  return (secure ? [...parts, 'Secure'] : parts).join('; ')
}

/** What an address says about signing in, and the address without it. */
export type SignInAddress = {
  /** A token, or the code of a sign-in link; null when it has none. */
  readonly secret: string | null
  /** The browser was sent here by our hop page. */
  readonly hopped: boolean
  /** The address without these. */
  readonly rest: string
  /** The address with the mark of the hop page. */
  readonly hop: string
}

export function readSignInAddress(url: string): SignInAddress {
  const mark = url.indexOf('?')
  const params = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))
  // Two slashes at the start would name another host.
  const path = `/${(mark === -1 ? url : url.slice(0, mark)).replace(/^[/\\]+/, '')}`
  const secret = params.get('token')
  const hopped = params.has(HOP)
  const withMark = new URLSearchParams(params)
  withMark.set(HOP, '1')
  params.delete('token')
  params.delete(HOP)
  const rest = params.toString()
  return { secret, hopped, rest: rest === '' ? path : `${path}?${rest}`, hop: `${path}?${withMark}` }
}

/** Where to go after signing in: an address of ours, whatever a form says. */
export function ownAddress(address: string): string {
  return readSignInAddress(address.replace(/[^!-~]/g, '')).rest
}

/** Compares without telling by its duration how much of the secret was right. */
export function isSameSecret(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length
  for (let i = 0; i < given.length; i++) {
    difference |= given.charCodeAt(i) ^ secret.charCodeAt(i % Math.max(1, secret.length))
  }
  return difference === 0
}
