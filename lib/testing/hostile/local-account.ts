import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A request as another account on this machine can send it: any headers, no browser. */
export type LocalRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What such an account would like to see or do, without the token. */
export function requestsWithoutToken(): LocalRequest[] {
  const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers })
  const pages = ['/', '/sessions', '/policies', '/memory', '/audit', '/help', '/no-such-page']
  const routes = [
    '/api/live',
    '/api/sessions',
    '/api/jobs',
    '/api/overview',
    '/api/signed-in',
    '/API/sessions',
  ]
  const files = ['/icon.svg', '/_next/static/x.js', '/_next/image?url=%2Ficon.svg&w=16&q=75', '/favicon.ico']
  const wrong: Record<string, string>[] = [
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer undefined' },
    { Authorization: 'Bearer null' },
    { Authorization: 'Basic eDp4' },
    { Cookie: 'plimsoll_session=1; plimsoll_token_4747=x; plimsoll_session_default=x' },
    { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
    { 'x-middleware-next': '1' },
    { 'x-middleware-rewrite': '/sessions' },
    { 'x-matched-path': '/sessions' },
    { 'x-plimsoll-signed-in': '1' },
    { RSC: '1' },
  ]
  return [
    ...[...pages, ...routes, ...files].map((path) => get(path)),
    ...wrong.map((headers) => get('/api/sessions', headers)),
    ...['/?token=', '/?token=x', '/?token=null&token=x', '/?from-link=1'].map((path) => get(path)),
    { method: 'HEAD', path: '/sessions', headers: {} },
    { method: 'POST', path: '/api/sign-in-link', headers: {} },
    { method: 'DELETE', path: '/api/jobs/x', headers: {} },
    {
      method: 'POST',
      path: '/',
      headers: { 'Next-Action': '0'.repeat(42), 'Content-Length': '2' },
      body: '[]',
    },
  ]
}

/**
 * The request of a page's action, as a program sends it who has read the build.
 * @param dist folder of the dashboard's build
 */
export function actionRequest(
  dist: string,
  name: string,
  path: string,
  args: readonly unknown[],
): LocalRequest {
  const manifest = JSON.parse(
    readFileSync(join(dist, 'server', 'server-reference-manifest.json'), 'utf8'),
  ) as {
    readonly node: Readonly<Record<string, { readonly exportedName?: string }>>
  }
  const id = Object.entries(manifest.node).find(([, { exportedName }]) => exportedName === name)?.[0]
  if (id === undefined) throw new Error(`the build has no action ${name}`)
  const body = JSON.stringify(args)
  const headers = {
    'Next-Action': id,
    'Content-Type': 'text/plain;charset=UTF-8',
    Accept: 'text/x-component',
  }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    body,
  }
}
