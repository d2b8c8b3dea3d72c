import { type NextRequest, NextResponse } from 'next/server'
import { readAccessRules } from '@/lib/config/access'
import { judgeRequest } from '@/lib/core/access/request-guard'
import { contentSecurityPolicy, SECURITY_HEADERS } from '@/lib/core/access/security-headers'

/** The door: every request passes here first, pages, actions, routes and files alike (there is no matcher on purpose). */
export function proxy(request: NextRequest): NextResponse {
  const { headers, nextUrl } = request
  const verdict = judgeRequest(
    readAccessRules({ PLIMSOLL_HOST: process.env.PLIMSOLL_HOST, PLIMSOLL_TOKEN: process.env.PLIMSOLL_TOKEN }),
    {
      method: request.method,
      url: nextUrl.pathname + nextUrl.search,
      host: headers.get('host'),
      origin: headers.get('origin'),
      fetchSite: headers.get('sec-fetch-site'),
      fetchMode: headers.get('sec-fetch-mode'),
      authorization: headers.get('authorization'),
      cookie: headers.get('cookie'),
    },
  )
  switch (verdict.kind) {
    case 'refuse':
      return withHeaders(
        new NextResponse(`${verdict.message}\n`, { status: verdict.status }),
        "default-src 'none'",
      )
    case 'keep-token':
      return withHeaders(
        new NextResponse(null, {
          status: 303,
          headers: {
            // Next.js demands a whole address; the host was found to be one of ours.
            Location: `${nextUrl.protocol}//${headers.get('host')}${verdict.location}`,
            'Set-Cookie': verdict.cookie,
          },
        }),
        "default-src 'none'",
      )
    case 'allow':
      return letIn(request)
  }
}

function letIn(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy({ nonce, development: process.env.NODE_ENV === 'development' })
  const headers = new Headers(request.headers)
  // Next.js reads the nonce from here for its own scripts, our layout from the second one.
  headers.set('Content-Security-Policy', policy)
  headers.set('x-nonce', nonce)
  return withHeaders(NextResponse.next({ request: { headers } }), policy)
}

function withHeaders(response: NextResponse, policy: string): NextResponse {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value)
  response.headers.set('Content-Security-Policy', policy)
  return response
}
