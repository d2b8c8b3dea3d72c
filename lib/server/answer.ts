import 'server-only'

/**
 * Runs a read and answers it as JSON; a failure becomes `{ problem }` with a message for the reader, so that a page can
 * say what is wrong. Never cached: the next change may be a second away.
 */
export async function answerJson<T>(read: () => Promise<T>): Promise<Response> {
  const headers = { 'cache-control': 'no-store' }
  try {
    return Response.json(await read(), { headers })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return Response.json({ problem }, { status: 500, headers })
  }
}
