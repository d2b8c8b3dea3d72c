import type { NextRequest } from 'next/server'
import { addSignInLink, hasToken, isOpenToLocalUsers } from '@/lib/server/access/signed-in'

/** A new link that signs a browser in once: for who has the token itself, which is the command line. */
export function POST(request: NextRequest): Response {
  if (isOpenToLocalUsers()) return Response.json({ path: '/' })
  if (!hasToken(request.headers)) {
    return Response.json({ problem: 'A new sign-in link is made for the token only.' }, { status: 403 })
  }
  return Response.json({ path: `/?token=${addSignInLink()}` })
}
