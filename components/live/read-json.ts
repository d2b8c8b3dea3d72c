import { noteAnswer } from './signed-out'

/** A request that the server answered with a message for the reader. */
class RequestFailedError extends Error {
  readonly code = 'REQUEST_FAILED'
}

/**
 * Reads one of our own routes. They answer what their view model's type says, or `{ problem }`.
 * @throws RequestFailedError with a message that can be shown
 */
export async function fetchJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { accept: 'application/json' } })
  if (response.ok) return (await response.json()) as T
  noteAnswer(response)
  throw new RequestFailedError(await problemOf(response))
}

async function problemOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { problem } = JSON.parse(text) as { problem?: unknown }
    if (typeof problem === 'string') return problem
  } catch {
    // Not from our routes: the text itself is the message.
  }
  return `The server answered ${response.status}: ${text.slice(0, 200) || response.statusText}`
}
