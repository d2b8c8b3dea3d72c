/**
 * Who may talk to the dashboard (X20). A browser on the same machine can be made to send requests by any page it has
 * open, so being reachable on loopback only is not enough: the name asked for (DNS rebinding) and the page that asks
 * (cross-site requests) are looked at as well.
 */
export type AccessRules = {
  /** Names and addresses besides loopback that the server was told to serve, lower case, without port. */
  readonly hosts: readonly string[]
  /** Bound to every address: any IP literal is a fitting name then. */
  readonly anyAddress: boolean
  /** Secret that each request must carry; null on loopback unless the operator sets one. */
  readonly token: string | null
}

/** The parts of a request that decide; header values as received, null when absent. */
export type RequestFacts = {
  readonly method: string
  /** Path with query string. */
  readonly url: string
  readonly host: string | null
  readonly origin: string | null
  readonly fetchSite: string | null
  readonly fetchMode: string | null
  readonly authorization: string | null
  readonly cookie: string | null
}

export type Verdict =
  | { readonly kind: 'allow' }
  /** The token came in the address: keep it in a cookie and go on without it, so that it stays out of histories. */
  | { readonly kind: 'keep-token'; readonly location: string; readonly cookie: string }
  | { readonly kind: 'refuse'; readonly status: 400 | 401 | 403 | 421; readonly message: string }

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']
const ALLOW: Verdict = { kind: 'allow' }

/** Decides on one request. Pure: the same request and rules always get the same answer. */
export function judgeRequest(rules: AccessRules, request: RequestFacts): Verdict {
  return judgeHost(rules, request) ?? judgeOrigin(request) ?? judgeToken(rules, request)
}

function refuse(status: 400 | 401 | 403 | 421, message: string): Verdict {
  return { kind: 'refuse', status, message }
}

function judgeHost(rules: AccessRules, { host }: RequestFacts): Verdict | null {
  const name = host === null ? null : hostName(host)
  if (name === null) return refuse(400, 'The request names no host.')
  if (LOOPBACK.includes(name) || rules.hosts.includes(name)) return null
  if (rules.anyAddress && isAddress(name)) return null
  return refuse(
    421,
    `This server does not answer to the name ${JSON.stringify(name)}. Open it by its address, or start it with --host ${name}.`,
  )
}

/** Lower-case name of a Host header without its port; null when it is none. */
function hostName(host: string): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host.trim())
  return match?.[1]?.toLowerCase() ?? null
}

function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(name)
}

function judgeOrigin(request: RequestFacts): Verdict | null {
  const { origin, host, fetchSite, fetchMode } = request
  const foreign = refuse(403, 'Requests from other sites are refused.')
  if (origin !== null && !isSameOrigin(origin, host ?? '')) return foreign
  if (fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none') return null
  // A link on another page may open ours; nothing else may be fetched, sent or embedded from there.
  const isLink =
    fetchMode === 'navigate' && request.method === 'GET' && pathOf(request.url).startsWith('/api/') === false
  return isLink ? null : foreign
}

function isSameOrigin(origin: string, host: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin)
  return match?.[1]?.toLowerCase() === host.trim().toLowerCase()
}

function judgeToken({ token }: AccessRules, request: RequestFacts): Verdict {
  if (token === null) return ALLOW
  const bearer = /^Bearer +(\S+)$/i.exec(request.authorization ?? '')?.[1]
  if (bearer !== undefined && isSameSecret(bearer, token)) return ALLOW
  const name = cookieName(request.host ?? '')
  const cookies = (request.cookie ?? '').split(';').map((part) => part.trim())
  if (
    cookies.some(
      (part) => part.startsWith(`${name}=`) && isSameSecret(part.slice(name.length + 1), encode(token)),
    )
  ) {
    return ALLOW
  }
  const given = takeToken(request.url)
  if (request.method === 'GET' && given && isSameSecret(given.token, token)) {
    const cookie = `${name}=${encode(token)}; Path=/; HttpOnly; SameSite=Strict`
    return { kind: 'keep-token', location: given.location, cookie }
  }
  return refuse(
    401,
    'This server asks for its token: open it once with ?token=…, or send "Authorization: Bearer …". It is the PLIMSOLL_TOKEN it was started with.',
  )
}

/** Cookies are shared between the ports of a host; two servers must not sign each other out. */
function cookieName(host: string): string {
  return `plimsoll_token_${/:(\d+)$/.exec(host)?.[1] ?? 'default'}`
}

function encode(token: string): string {
  return encodeURIComponent(token)
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** The token in a query string, and the same address without it. */
function takeToken(url: string): { token: string; location: string } | null {
  const query = url.slice(pathOf(url).length + 1)
  const params = new URLSearchParams(query)
  const token = params.get('token')
  if (token === null) return null
  params.delete('token')
  const rest = params.toString()
  // Two slashes at the start would name another host.
  const path = `/${pathOf(url).replace(/^[/\\]+/, '')}`
  return { token, location: rest === '' ? path : `${path}?${rest}` }
}

/** Compares without telling by its duration how much of the secret was right. */
export function isSameSecret(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length
  for (let i = 0; i < given.length; i++) {
    difference |= given.charCodeAt(i) ^ secret.charCodeAt(i % Math.max(1, secret.length))
  }
  return difference === 0
}
