import { isObject, type JsonObject, stringOf } from '../../transcript/json'

/** Where a line is in its file: its number from 1, its first byte, and its length without the newline. */
export type RequestPlace = { readonly line: number; readonly offset: number; readonly bytes: number }

/** What a line of type `api-request` says. A field that is not of its type is absent, or makes the request `broken`. */
export type RecordedRequest = {
  readonly id: string | null
  /** What of the client asked: `sdk`, `repl_main_thread`, `agent:…`, or a title, a suggestion … */
  readonly source: string
  readonly model: string | null
  /** The sub-agent that asked; null: the session itself. */
  readonly agent: string | null
  /** The request that the first `keep` messages are taken from; null: none. */
  readonly base: string | null
  readonly keep: number
  /** Hashes of the messages behind those; null where there is no hash. */
  readonly tail: readonly (string | null)[]
  readonly shapeHash: string | null
  readonly broken: boolean
}

const HASH = /^[0-9a-f]{64}$/

/** Longer names are not kept in memory. */
const NAME_CHARS = 200

/** SHA-256 in hexadecimal digits, or null. */
export function recordedHash(value: unknown): string | null {
  return typeof value === 'string' && HASH.test(value) ? value : null
}

/** A name of bounded length, or null. */
export function nameOf(value: unknown): string | null {
  const name = stringOf(value)
  return name === undefined || name.length > NAME_CHARS ? null : name
}

export function readRequest(line: JsonObject): RecordedRequest {
  const { base, keep = 0, tail = [], params } = line
  const hashes = Array.isArray(tail) ? tail.map(recordedHash) : []
  const isCount = typeof keep === 'number' && Number.isSafeInteger(keep) && keep >= 0
  const isBased = base !== undefined && base !== null
  return {
    id: nameOf(line.id),
    source: nameOf(line.querySource) ?? '',
    model: isObject(params) ? nameOf(params.model) : null,
    agent: nameOf(line.agentId),
    base: isBased ? nameOf(base) : null,
    keep: isCount ? keep : 0,
    tail: hashes,
    shapeHash: recordedHash(line.shapeHash),
    broken: !isCount || !Array.isArray(tail) || (isBased ? nameOf(base) === null : keep !== 0),
  }
}

/** A place in a request behind which its provider keeps the prompt, e.g. `["messages", 3, "content", 0]`. */
export type CacheBreak = { readonly path: readonly (string | number)[]; readonly ttl: string | null }

/** More are not listed; clients set four. */
const MAX_BREAKS = 64
const MAX_PATH = 16

/** Where the cache of a request breaks, as its `api-request` line says. */
export function cacheBreaksOf({ cacheControl }: JsonObject): CacheBreak[] {
  if (!Array.isArray(cacheControl)) return []
  return cacheControl.slice(0, MAX_BREAKS).flatMap((one: unknown) => {
    if (!isObject(one) || !Array.isArray(one.path) || one.path.length > MAX_PATH) return []
    const path = one.path.filter((step) => typeof step === 'number' || nameOf(step) !== null)
    if (path.length !== one.path.length) return []
    return [{ path, ttl: isObject(one.value) ? nameOf(one.value.ttl) : null }]
  })
}
