import { isObject, type JsonObject } from '../../transcript/json'
import { canonicalMessage, canonicalShape } from './canonical'
import { MessageRuns } from './message-runs'
import { nameOf, type RequestPlace, readRequest, recordedHash } from './recorded-request'

/** Why a request is not proved. `missing`: no line has a message of that hash; `differs`: one claims it, with another text. */
export type Unproved = 'missing' | 'differs' | 'base' | 'shape' | 'broken'

/** One message of a request: its hash, the lines that hold it, and whether their text has that hash. */
export type RequestMessage = {
  readonly hash: string | null
  readonly lines: readonly number[]
  readonly proved: boolean
}

/** What is known of one recorded request. */
export type RequestProof = {
  readonly id: string | null
  readonly source: string
  readonly place: RequestPlace
  readonly messages: number
  /** null: every message, the system prompt and the tools have the hash that was recorded. */
  readonly unproved: Unproved | null
}

/** How many requests a transcript records, how many have a text for every message, and how many are proved. */
export type ProofTotals = { readonly requests: number; readonly rebuilt: number; readonly proved: number }

type Recorded = {
  readonly id: string | null
  readonly source: string
  readonly model: string | null
  readonly agent: string | null
  readonly place: RequestPlace
  /** Index of the request that it begins as; -1: none. */
  readonly base: number
  readonly keep: number
  readonly tail: Int32Array
  readonly shape: number
  /** The base is not recorded before it, or is shorter than what is kept of it. */
  readonly flaw: 'base' | 'broken' | null
  readonly length: number
}

/** A message that was found. Text that was only claimed to have a hash gives way to text that has it. */
type Found = { readonly lines: readonly number[]; readonly proved: boolean }

/** Hashes of a hostile file beyond so many are taken for missing; a real one has some ten thousands. */
const MAX_HASHES = 400_000

/** Whose requests are answered in the conversation. */
const CONVERSES = /^(?:sdk|repl_main_thread|agent)/

/**
 * The requests that a transcript records by the hashes of their messages, and the texts that prove them. Lines come in
 * order; what stays in memory are hashes and places, no texts.
 */
export class RequestLedger {
  private readonly hash: (text: string) => string
  private readonly ids = new Map<string, number>()
  private readonly names: string[] = []
  private readonly found: (Found | undefined)[] = []
  private provedHashes = 0
  private readonly requests: Recorded[] = []
  private readonly indexes = new Map<string, number>()
  private readonly runs = new MessageRuns()
  /** First request of each agent that no answer of it followed yet; null: of the session itself. */
  private readonly waiting = new Map<string | null, number>()
  private answer: { readonly id: string; readonly request: number } | null = null
  private readonly answers = new Map<number, number>()

  /** @param hash SHA-256 of a text in UTF-8, in hexadecimal digits */
  constructor(hash: (text: string) => string) {
    this.hash = hash
  }

  take(line: JsonObject, place: RequestPlace): void {
    switch (line.type) {
      case 'api-request':
        this.takeRequest(line, place)
        break
      case 'api-request-blob':
        if (isObject(line.message)) this.note(canonicalMessage(line.message), [place.line], line.hash)
        break
      case 'api-request-shape':
        this.note(canonicalShape(line.shape), [place.line], line.shapeHash)
        break
      case 'assistant':
      case 'user':
        this.takeEntry(line, place)
        break
    }
  }

  /** Lines that may be one message together, while some message is without a text. For `takeTogether`, in turn. */
  *together(): Generator<readonly RequestPlace[]> {
    for (const places of this.runs.all()) {
      if (this.provedHashes === this.names.length) return
      yield places
    }
  }

  /** Lines of one message, which has their blocks in order. */
  takeTogether(lines: readonly JsonObject[], places: readonly RequestPlace[]): void {
    const messages = lines.map(({ message }) => (isObject(message) ? message : {}))
    const content = messages.flatMap(blocksOf)
    const text = canonicalMessage({ role: messages[0]?.role, content })
    this.note(
      text,
      places.map(({ line }) => line),
    )
  }

  totals(): ProofTotals {
    const proofs = this.proofs()
    const proved = proofs.filter(({ unproved }) => unproved === null).length
    const rebuilt = proofs.filter(({ unproved }) => unproved === null || unproved === 'differs').length
    return { requests: proofs.length, rebuilt, proved }
  }

  /** Every recorded request, in order. */
  proofs(): RequestProof[] {
    const missing: number[] = []
    const unsure: number[] = []
    return this.requests.map((request) => {
      const { id, source, place, length, flaw } = request
      const lack = this.firstWithout(request, missing, (found) => found !== undefined)
      const doubt = this.firstWithout(request, unsure, (found) => found?.proved === true)
      missing.push(lack)
      unsure.push(doubt)
      const shape = this.found[request.shape]
      const unproved =
        flaw ??
        (lack < length
          ? 'missing'
          : shape === undefined
            ? 'shape'
            : doubt < length || !shape.proved
              ? 'differs'
              : null)
      return { id, source, place, messages: length, unproved }
    })
  }

  /** The request that the assistant's line with this number answers: its index in `proofs`, or null. */
  answeredAt(line: number): number | null {
    return this.answers.get(line) ?? null
  }

  /** The messages of a request in order, as far as it can be rebuilt. */
  messages(index: number): RequestMessage[] {
    const parts: RequestMessage[][] = []
    let at = index
    let wanted = Number.POSITIVE_INFINITY
    for (;;) {
      const request = this.requests[at]
      if (request === undefined || request.flaw !== null) break
      const { keep, tail, base } = request
      parts.push(Array.from(tail.subarray(0, Math.max(0, wanted - keep)), (id) => this.messageAt(id)))
      wanted = Math.min(wanted, keep)
      at = base
    }
    return parts.reverse().flat()
  }

  private messageAt(id: number): RequestMessage {
    const found = this.found[id]
    return { hash: this.names[id] ?? null, lines: found?.lines ?? [], proved: found?.proved === true }
  }

  /** How many messages at the beginning of a request are as wanted. @param before the same of the requests before it */
  private firstWithout(
    { base, keep, tail, length }: Recorded,
    before: readonly number[],
    isWanted: (found: Found | undefined) => boolean,
  ): number {
    const kept = before[base] ?? 0
    if (kept < keep) return kept
    const at = tail.findIndex((id) => !isWanted(this.found[id]))
    return at < 0 ? length : keep + at
  }

  private takeRequest(line: JsonObject, place: RequestPlace): void {
    const { id, source, model, agent, base, keep, tail, shapeHash, broken } = readRequest(line)
    // A base is recorded before what rests on it: no request can rest on itself.
    const baseAt = base === null ? -1 : (this.indexes.get(base) ?? -1)
    const baseLength = this.requests[baseAt]?.length ?? 0
    const isLost = base !== null && (this.requests[baseAt]?.flaw !== null || keep > baseLength)
    if (id !== null) this.indexes.set(id, this.requests.length)
    this.requests.push({
      ...{ id, source, model, agent, place, keep, base: baseAt },
      tail: Int32Array.from(tail, (hash) => this.idOf(hash)),
      shape: this.idOf(shapeHash),
      flaw: broken ? 'broken' : isLost ? 'base' : null,
      length: keep + tail.length,
    })
  }

  private takeEntry(line: JsonObject, place: RequestPlace): void {
    const { message } = line
    if (!isObject(message)) return
    const { role, content } = message
    if (line.type === 'assistant') this.takeAnswer(line, message, place)
    this.runs.take(line, message, place)
    this.note(canonicalMessage({ role, content }), [place.line])
  }

  private takeAnswer(line: JsonObject, message: JsonObject, place: RequestPlace): void {
    const id = nameOf(message.id)
    const agent = nameOf(line.agentId)
    if (id === null || (line.isSidechain === true && agent === null)) return
    if (this.answer?.id !== id) this.answer = { id, request: this.asked(nameOf(message.model), agent) }
    if (this.answer.request >= 0) this.answers.set(place.line, this.answer.request)
  }

  /**
   * The last request of an agent since its answer before, of the conversation and of this model if there is one; -1:
   * none.
   */
  private asked(model: string | null, agent: string | null): number {
    let best = -1
    let rank = -1
    for (let i = this.waiting.get(agent) ?? 0; i < this.requests.length; i++) {
      const request = this.requests[i]
      if (request === undefined || request.agent !== agent) continue
      const own = (CONVERSES.test(request.source) ? 2 : 0) + (request.model === model ? 1 : 0)
      if (own < rank) continue
      rank = own
      best = i
    }
    this.waiting.set(agent, this.requests.length)
    return best
  }

  /** Notes a text under its hash, and under the one that it claims to have. */
  private note(text: string | null, lines: readonly number[], claimed?: unknown): void {
    const hash = text === null ? null : this.hash(text)
    if (hash !== null) this.enter(hash, { lines, proved: true })
    const claim = recordedHash(claimed)
    if (claim !== null && claim !== hash) this.enter(claim, { lines, proved: false })
  }

  private enter(hash: string, found: Found): void {
    const id = this.idOf(hash)
    const known = this.found[id]
    if (id < 0 || known?.proved || (known !== undefined && !found.proved)) return
    if (found.proved) this.provedHashes += 1
    this.found[id] = found
  }

  private idOf(hash: string | null): number {
    if (hash === null) return -1
    const known = this.ids.get(hash)
    if (known !== undefined) return known
    if (this.names.length >= MAX_HASHES) return -1
    this.ids.set(hash, this.names.length)
    return this.names.push(hash) - 1
  }
}

function blocksOf({ content }: JsonObject): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}
