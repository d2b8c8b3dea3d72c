import 'server-only'
import { answerJson } from './answer'

/** Like `answerJson`, for things that may not be there: null becomes 404 and says what is missing. */
export async function answerFound<T>(what: string, read: () => Promise<T | null>): Promise<Response> {
  let missing = false
  const answer = await answerJson(async () => {
    const value = await read()
    missing = value === null
    return value
  })
  return missing ? problem(404, `There is no ${what}.`) : answer
}

/** Says which parameter is wrong and what it may be. */
export function badRequest(message: string): Response {
  return problem(400, message)
}

function problem(status: number, message: string): Response {
  return Response.json({ problem: message }, { status, headers: { 'cache-control': 'no-store' } })
}
