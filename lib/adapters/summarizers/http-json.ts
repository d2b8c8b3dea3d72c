import { isOverflowError } from '../../core/compaction/overflow-error'
import { isObject, type JsonObject, stringOf } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import { withFullStop } from '../../core/words/full-stop'
import type { SummarizerFault, SummarizerReply } from '../../engine/summary/summarizer'

/** No summary is longer; what sends more is not a summariser. Bytes. */
const MAX_BODY = 2 * 1024 * 1024
/** Of an error's text, so much is shown. */
const MAX_MESSAGE = 300

type Failed = Extract<SummarizerReply, { ok: false }>

type JsonAnswer = { readonly ok: true; readonly body: JsonObject } | Failed

type JsonRequest = {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  readonly timeoutMs: Milliseconds
  readonly signal?: AbortSignal
  /** Said beside a refusal without a key: why none was sent. */
  readonly withheld?: string | null
}

/** A service, and where it takes requests: at a path below its address, whether that ends with a slash or not. */
export type JsonService = Pick<JsonRequest, 'name' | 'url' | 'headers' | 'withheld'> & {
  readonly path: string
}

/** Posts to a service; see `postJson`. */
export function postTo(
  { name, url, path, headers, withheld }: JsonService,
  request: Pick<JsonRequest, 'body' | 'timeoutMs' | 'signal'>,
): Promise<JsonAnswer> {
  return postJson({ name, url: `${url.replace(/\/+$/, '')}${path}`, headers, withheld, ...request })
}

/** A key as most services take it; none where there is none. */
export function keyHeaders(key: string | null): JsonRequest['headers'] {
  return key === null ? {} : { authorization: `Bearer ${key}` }
}

/**
 * Posts JSON to a service and reads its JSON answer, within a time and a size. A redirection is refused: the text of a
 * conversation goes where the operator said and nowhere else. Never throws.
 */
async function postJson(request: JsonRequest): Promise<JsonAnswer> {
  const { name, url, headers, body, timeoutMs } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout])
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    })
    if (isRedirect(response)) {
      const target = response.headers.get('location') ?? 'somewhere else'
      return failed(
        'redirect',
        `${name} sends requests on to ${target}; put the final address into the settings.`,
      )
    }
    const text = await boundedText(response)
    if (text === null)
      return failed('too-long', `${name} answered with more than ${MAX_BODY / 1024 / 1024} MB.`)
    if (!response.ok) return httpFailure(request, response.status, text)
    return parsed(name, text)
  } catch (error) {
    if (request.signal?.aborted) return failed('aborted', 'The summary was stopped.')
    if (timeout.aborted)
      return failed(
        'timeout',
        `${name} did not answer within ${timeoutMs < 10_000 ? `${timeoutMs} ms` : `${Math.round(timeoutMs / 1000)} s`}.`,
      )
    return { ...failed('unreachable', `${name} cannot be reached at ${url}: ${causeOf(error)}`), again: true }
  }
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

/** null when there is more than is allowed; the rest is not waited for. */
async function boundedText(response: Response): Promise<string | null> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(name: string, text: string): JsonAnswer {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return { ok: true, body }
  } catch {
    // Reported below: it is no JSON.
  }
  return failed('bad-answer', `${name} answered with something else than JSON: ${shortened(text)}`)
}

function httpFailure({ name, withheld }: JsonRequest, status: number, text: string): Failed {
  const message = messageIn(text)
  const said = `${name} answered ${status}: ${shortened(message)}`
  if (status === 401 || status === 403)
    return failed('refused-key', `${withFullStop(said)} ${withheld ?? 'Check its key.'}`)
  if (isOverflowError(message)) return failed('overflow', said)
  if (status === 429) return { ...failed('rate-limit', said), again: true }
  return { ...failed('http', said), again: status >= 500 || status === 408 }
}

/** The message of an error in the shapes in use: `{error: {message}}`, `{error}`, `{message}`. */
function messageIn(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (!isObject(body)) return text
    const inner = isObject(body.error) ? stringOf(body.error.message) : stringOf(body.error)
    return inner ?? stringOf(body.message) ?? text
  } catch {
    return text
  }
}

export function failed(fault: SummarizerFault, message: string): Failed {
  return { ok: false, fault, message, again: false }
}

function shortened(text: string): string {
  const line = text
    .slice(0, MAX_MESSAGE * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line || 'nothing'
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause)
}
