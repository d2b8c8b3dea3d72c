import { type NextRequest, NextResponse } from 'next/server'
import { contentSecurityPolicy, SECURITY_HEADERS } from '@/lib/core/access/security-headers'
import { answerAtDoor, type DoorAnswer, signInMessage } from '@/lib/server/access/door'
import { peerOf, removePeer } from '@/lib/server/access/peer'
import { hopPage, signInPage, signInPolicy } from '@/lib/view/shell/sign-in-page'
import { parseTheme, THEME_COOKIE } from '@/lib/view/shell/theme'

/** No page and no form of ours is larger; a token is short. Bytes. */
const MAX_FORM_BYTES = 16_384

/** The door: every request passes here first, pages, actions, routes and files alike (there is no matcher on purpose). */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { headers, nextUrl } = request
  const origin = headers.get('origin')
  const answer = await answerAtDoor({
    method: request.method,
    url: nextUrl.pathname + nextUrl.search,
    host: headers.get('host'),
    origin,
    fetchSite: headers.get('sec-fetch-site'),
    fetchMode: headers.get('sec-fetch-mode'),
    contentLength: headers.get('content-length'),
    transferEncoding: headers.get('transfer-encoding'),
    authorization: headers.get('authorization'),
    cookie: headers.get('cookie'),
    address: peerOf(headers),
    secure: nextUrl.protocol === 'https:' || (origin?.startsWith('https:') ?? false),
    form: () => readForm(request),
  })
  switch (answer.kind) {
    case 'allow':
      return letIn(request)
    case 'refuse':
      return withHeaders(
        new NextResponse(`${answer.message}\n`, { status: answer.status }),
        "default-src 'none'",
      )
    case 'sign-in':
      return askForToken(request, answer)
    case 'hop': {
      const nonce = newNonce()
      const body = hopPage({ to: answer.to, theme: themeOf(request), nonce })
      return ownPage(new NextResponse(body, { status: 200 }), nonce)
    }
    case 'go':
      // Next.js demands a whole address; the host was found to be one of ours.
      return plain(303, answer.cookie, `${schemeOf(request)}//${headers.get('host')}${answer.to}`)
    case 'done':
      return plain(204, answer.cookie, null)
  }
}

function askForToken(request: NextRequest, answer: DoorAnswer & { readonly kind: 'sign-in' }): NextResponse {
  const { status, problem, retryAfter, ownToken } = answer
  const more: Record<string, string> = retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }
  if (!wantsPage(request)) {
    const message = problem ?? signInMessage(ownToken)
    const headers = { ...more, 'WWW-Authenticate': 'Bearer realm="plimsoll"' }
    return withHeaders(
      request.nextUrl.pathname.startsWith('/api/')
        ? NextResponse.json({ problem: message, code: 'signed-out' }, { status, headers })
        : new NextResponse(`${message}\n`, { status, headers }),
      "default-src 'none'",
    )
  }
  const nonce = newNonce()
  const body = signInPage({ ...answer, theme: themeOf(request), nonce })
  return ownPage(new NextResponse(body, { status, headers: more }), nonce)
}

/** A browser that opens a page, not a script, a picture or a program. */
function wantsPage({ headers, nextUrl }: NextRequest): boolean {
  if (nextUrl.pathname.startsWith('/api/') || headers.has('rsc') || headers.has('next-action')) return false
  return headers.get('accept')?.includes('text/html') === true
}

function ownPage(response: NextResponse, nonce: string): NextResponse {
  response.headers.set('Content-Type', 'text/html; charset=utf-8')
  withHeaders(response, signInPolicy(nonce))
  // Without it a form of this page would come from the origin "null".
  response.headers.set('Referrer-Policy', 'same-origin')
  return response
}

function plain(status: 204 | 303, cookie: string | null, location: string | null): NextResponse {
  const headers: Record<string, string> = {}
  if (cookie !== null) headers['Set-Cookie'] = cookie
  if (location !== null) headers.Location = location
  return withHeaders(new NextResponse(null, { status, headers }), "default-src 'none'")
}

function letIn(request: NextRequest): NextResponse {
  const nonce = newNonce()
  const policy = contentSecurityPolicy({ nonce, development: process.env.NODE_ENV === 'development' })
  const headers = new Headers(request.headers)
  removePeer(headers)
  // Next.js reads the nonce from here for its own scripts, our layout from the second one.
  headers.set('Content-Security-Policy', policy)
  headers.set('x-nonce', nonce)
  return withHeaders(NextResponse.next({ request: { headers } }), policy, false)
}

function withHeaders(response: NextResponse, policy: string, final = true): NextResponse {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value)
  response.headers.set('Content-Security-Policy', policy)
  if (final) response.headers.set('Cache-Control', 'no-store')
  return response
}

function newNonce(): string {
  return btoa(crypto.randomUUID())
}

function themeOf(request: NextRequest) {
  return parseTheme(request.cookies.get(THEME_COOKIE)?.value)
}

function schemeOf(request: NextRequest): string {
  return request.headers.get('origin')?.startsWith('https:') ? 'https:' : request.nextUrl.protocol
}

async function readForm(request: NextRequest): Promise<URLSearchParams> {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (!(length <= MAX_FORM_BYTES)) return new URLSearchParams()
  return new URLSearchParams(await request.text())
}
