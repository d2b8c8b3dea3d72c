/**
 * From where a request may come. A browser on the same machine can be made to send requests by any page it has open, so
 * being reachable on loopback only is not enough: the name asked for (DNS rebinding) and the page that asks (cross-site
 * requests) are examined as well. Who sends it is another question: see `credentials.ts`.
 */
export type AccessRules = {
  /** Names and addresses besides loopback that the server is configured to serve, lower case, without port. */
  readonly hosts: readonly string[]
  /** Bound to every address: any IP literal is a fitting name then. */
  readonly anyAddress: boolean
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
  readonly contentLength: string | null
  readonly transferEncoding: string | null
}

export type RequestRefusal = { readonly status: 400 | 403 | 411 | 413 | 421; readonly message: string }

/** The largest body that is taken: what the pages' actions take. Bytes. */
export const MAX_BODY_BYTES = 1024 * 1024

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Why a request is refused for every visitor; null when it is not. Pure: equal requests get equal answers. */
export function refusalOf(rules: AccessRules, request: RequestFacts): RequestRefusal | null {
  return judgeHost(rules, request) ?? judgeOrigin(request) ?? judgeAddress(request) ?? judgeBody(request)
}

/** Whether a request is a link or a form on another page, opened in a browser. */
export function comesFromElsewhere({ fetchSite, fetchMode }: RequestFacts): boolean {
  return (fetchSite === 'cross-site' || fetchSite === 'same-site') && fetchMode === 'navigate'
}

/** Path of an address without its query. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function refuse(status: RequestRefusal['status'], message: string): RequestRefusal {
  return { status, message }
}

function judgeHost(rules: AccessRules, { host }: RequestFacts): RequestRefusal | null {
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

function judgeOrigin(request: RequestFacts): RequestRefusal | null {
  const { origin, host, fetchSite } = request
  const foreign = refuse(403, 'Requests from other sites are refused.')
  if (origin !== null && !isSameOrigin(origin, host ?? '')) return foreign
  if (fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none') return null
  // A link on another page may open ours; nothing else may be fetched, sent or embedded from there.
  const isLink =
    comesFromElsewhere(request) && request.method === 'GET' && !pathOf(request.url).startsWith('/api/')
  return isLink ? null : foreign
}

function isSameOrigin(origin: string, host: string): boolean {
  const match = /^https?:\/\/([^/]+)$/i.exec(origin)
  return match?.[1]?.toLowerCase() === host.trim().toLowerCase()
}

function judgeAddress({ url }: RequestFacts): RequestRefusal | null {
  try {
    decodeURIComponent(pathOf(url))
    return null
  } catch {
    return refuse(400, 'The address holds a % that begins no character of UTF-8.')
  }
}

function judgeBody({ method, contentLength, transferEncoding }: RequestFacts): RequestRefusal | null {
  if (method === 'GET' || method === 'HEAD') return null
  if (transferEncoding !== null && contentLength === null) {
    return refuse(411, 'The request must say how long its body is (Content-Length).')
  }
  if (contentLength === null || Number(contentLength) <= MAX_BODY_BYTES) return null
  return refuse(
    413,
    `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB, which is the most that is taken.`,
  )
}
