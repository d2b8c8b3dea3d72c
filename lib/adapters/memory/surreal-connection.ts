import type { Milliseconds } from '../../core/units/units'
/** What an adapter needs of a SurrealDB: statements with variables, answered in their order. */
export interface SurrealConnection {
  /** For messages, e.g. `http://127.0.0.1:8000`. Holds no password. */
  readonly place: string
  /** @throws Error with a message for the operator */
  query(sql: string, variables?: Readonly<Record<string, unknown>>): Promise<readonly unknown[]>
}

/** Where a SurrealDB server is, the database in it, and who asks; `timeoutMs` in milliseconds. */
export type SurrealServer = {
  /** http, https, ws or wss; the two latter are asked over HTTP at the same place. */
  readonly url: string
  readonly namespace: string
  readonly database: string
  readonly username: string | null
  readonly password: string | null
  readonly timeoutMs: Milliseconds
}

/**
 * A SurrealDB server, asked over its HTTP interface: JSON-RPC at `/rpc`, so that no driver is needed.
 *
 * @example
 * ```ts
 * import { surrealServer, type SurrealServer } from 'plimsoll-agent'
 *
 * declare const server: SurrealServer
 * const [first] = await surrealServer(server).query('RETURN $a', { a: 1 })
 * ```
 */
export function surrealServer(server: SurrealServer, request: typeof fetch = fetch): SurrealConnection {
  const { namespace, database, username, password, timeoutMs } = server
  const place = server.url
    .replace(/^ws/, 'http')
    .replace(/\/(?:rpc)?\/?$/, '')
    .replace(/\/\/[^@/]*@/, '//')
  const login = username === null ? null : Buffer.from(`${username}:${password ?? ''}`).toString('base64')
  return {
    place,
    query: async (sql, variables = {}) => {
      let response: Response
      try {
        response = await request(`${place}/rpc`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'surreal-ns': namespace,
            'surreal-db': database,
            ...(login === null ? {} : { authorization: `Basic ${login}` }),
          },
          body: JSON.stringify({ id: 1, method: 'query', params: [sql, variables] }),
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        })
      } catch (error) {
        throw new Error(`no answer from ${place}: ${causeOf(error, timeoutMs)}`)
      }
      return resultsOf(response, place)
    },
  }
}

async function resultsOf(response: Response, place: string): Promise<readonly unknown[]> {
  const text = await response.text()
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new Error(`${place} answered ${response.status} with something that is no JSON`)
  }
  const { error, result } = recordOf(answer)
  if (error !== undefined && error !== null)
    throw new Error(`${place} refused: ${messageIn(error) ?? `status ${response.status}`}`)
  if (!response.ok || !Array.isArray(result))
    throw new Error(`${place} answered ${response.status}: ${messageIn(answer) ?? 'no result'}`)
  return result.map((one: unknown) => {
    const { status, result: rows } = recordOf(one)
    if (status === 'ERR') throw new Error(`${place} refused: ${String(rows)}`)
    return rows
  })
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function messageIn(value: unknown): string | null {
  const { message, information, description } = recordOf(value)
  const said = message ?? information ?? description
  return typeof said === 'string' ? said : null
}

function causeOf(error: unknown, timeoutMs: Milliseconds): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it took longer than ${timeoutMs} ms`
  return error.cause instanceof Error ? error.cause.message : error.message
}
