import 'server-only'

/** A JSON answer of a route handler; live figures are never kept by a cache. */
export function jsonAnswer(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}

/** Says what is not there. */
export function notFound(what: string): Response {
  return jsonAnswer({ error: `There is no ${what}.` }, 404)
}

/** Says which parameter is wrong and what it may be. */
export function badRequest(problem: string): Response {
  return jsonAnswer({ error: problem }, 400)
}
