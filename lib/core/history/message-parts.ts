import { append } from '../lists/long-lists'
import { withFields } from '../objects/with-fields'
import { blockKind, callIdOf, hasResultFailed, resultContentOf, resultIdOf } from '../transcript/blocks'
import { isObject, type JsonObject, jsonText, stringOf } from '../transcript/json'
import { extentOf } from './message-extent'
import { type MessagePart, ORIGIN, type PartOrigin, type PartView } from './part-origin'
import { rejoined } from './rejoin-parts'
import type { ContentMessage } from './thinking'
import { uiPartsOf, uiViews } from './ui-parts'

/** What was made of a message, or of a run of them that begins with it. */
type KnownParts = {
  /** Of the run when it was taken apart; see `extentOf`. */
  readonly extent: number
  /** Calls in it that are known by their results alone; see `referredCalls`. */
  readonly referred: string
  /** null: the message serves as it is. */
  readonly parts: readonly MessagePart[] | null
  /** The same for a run of another length. */
  readonly other: KnownParts | null
}

/**
 * The same messages give the same parts, as long as they are referenced; by the first of them. An agent that streams an
 * answer lets the same object grow: then it is taken apart anew, so that nothing is believed of the new parts that was
 * found out about the old ones.
 */
const known = new WeakMap<ContentMessage, KnownParts>()

/**
 * Takes messages apart, whatever API they are for: each result is its own part, an answer is one with all its calls.
 * What needs no taking apart is the same object, until it grows.
 * @param extents of each message (`extentOf`), where they are known already
 */
export function splitMessages<M extends ContentMessage>(
  messages: readonly M[],
  extents?: readonly number[],
): readonly M[] {
  let parts: MessagePart[] | null = null
  for (let at = 0; at < messages.length; ) {
    const end = runEnd(messages, at)
    const made = partsOfRun(messages, at, end, extents)
    if (made !== null) {
      parts ??= messages.slice(0, at)
      append(parts, made)
    } else if (parts !== null) append(parts, messages.slice(at, end))
    at = end
  }
  // Parts have the fields that are read here; what else an agent's messages have comes back when they are joined.
  return parts === null ? messages : (parts as ContentMessage[] as M[])
}

/**
 * Puts parts together again. Messages of which every part is there, unchanged, are the agent's own objects; the others
 * are copies in the same form, without what was taken out. What was made from the beginning in the agent's form stays
 * as it is.
 */
export function joinParts<M extends ContentMessage>(given: readonly M[]): readonly M[] {
  const parts: readonly MessagePart[] = given
  if (!parts.some((part) => part[ORIGIN] !== undefined)) return given
  const alone = parts.length === 1 ? (parts[0] as MessagePart)[ORIGIN] : undefined
  if (alone?.parts.length === 1 && alone.parts[0] === parts[0]) return alone.messages as readonly M[]
  const messages: ContentMessage[] = []
  for (let from = 0; from < parts.length; ) {
    const origin = (parts[from] as MessagePart)[ORIGIN]
    const end = groupEnd(parts, from)
    if (origin !== undefined && isWhole(origin, parts, from, end)) append(messages, origin.messages)
    else {
      const group = parts.slice(from, end)
      append(messages, origin === undefined ? group : rejoined(origin, group))
    }
    from = end
  }
  return messages as M[]
}

/** Whether these are all parts of their messages, unchanged. */
function isWhole(own: PartOrigin, parts: readonly MessagePart[], from: number, end: number): boolean {
  return own.parts.length === end - from && own.parts.every((part, i) => part === parts[from + i])
}

/** The calls of a message that need a result, whatever API it is for. */
export function callsOf(message: ContentMessage): readonly { readonly id: string }[] {
  return splitMessages([message]).flatMap(({ calls }) => calls ?? [])
}

/** Where the parts of one message end; what was made for a call of a UIMessage that has no result belongs to it. */
function groupEnd(parts: readonly MessagePart[], from: number): number {
  let last = parts[from] as MessagePart
  const isUi = uiPartsOf(last[ORIGIN]?.messages[0]) !== null
  let end = from + 1
  for (; end < parts.length; end += 1) {
    const next = parts[end] as MessagePart
    if (follows(last, next)) last = next
    else if (!isUi || next.role !== 'toolResult' || next[ORIGIN] !== undefined) break
  }
  return end
}

/** Whether the second part comes of the same message, further behind. */
function follows(first: MessagePart, next: MessagePart): boolean {
  const [a, b] = [first[ORIGIN], next[ORIGIN]]
  return a !== undefined && b !== undefined && a.messages === b.messages && a.at < b.at
}

/** Where the messages end that are one answer: the items of Responses up to the next result or request. */
function runEnd(messages: readonly ContentMessage[], at: number): number {
  let end = at
  while (isAnswerItem(messages[end])) end += 1
  return Math.max(end, at + 1)
}

/** Whether it is an item of Responses that belongs to an answer. */
export function isAnswerItem(message: ContentMessage | undefined): boolean {
  if (!isObject(message)) return false
  if (typeof message.type !== 'string') return isBareReference(message)
  if (message.role === undefined) return blockKind(message) !== 'result'
  // Facts of transcripts have a type and a role as well, and no content.
  return message.type === 'message' && message.role === 'assistant' && Array.isArray(message.content)
}

/** The parts of the messages between two places; null: it is one that serves as it is. */
function partsOfRun(
  messages: readonly MessagePart[],
  at: number,
  end: number,
  extents: readonly number[] | undefined,
): readonly MessagePart[] | null {
  const first = messages[at] as MessagePart
  if (first[ORIGIN] !== undefined) return null
  let extent = 0
  for (let i = at; i < end; i++) extent += extents?.[i] ?? extentOf(messages[i] as MessagePart)
  const earlier = known.get(first) ?? null
  let before = earlier
  while (before !== null && (runOf(before)?.length ?? 1) !== end - at) before = before.other
  const calls = referredCalls(messages, at, end)
  const referred = calls.length === 0 ? '' : calls.map(({ id }) => id).join('\n')
  if (before?.extent === extent && before.referred === referred) {
    if (before.parts === null) return null
    if (runOf(before)?.every((message, i) => message === messages[at + i]) === true) return before.parts
  }
  const run = end === at + 1 ? [first] : messages.slice(at, end)
  // A copy for one that has grown and serves as it is.
  const views = viewsOf(run, calls) ?? (before === null ? null : [whole(withFields(first, {}))])
  const parts = views === null ? null : partsFrom(run, views)
  known.set(first, { extent, referred, parts, other: withoutRun(earlier, before) })
  return parts
}

/** The messages that were taken apart. */
function runOf({ parts }: KnownParts): readonly ContentMessage[] | undefined {
  return parts?.[0]?.[ORIGIN]?.messages
}

/** An item of Responses in the place of one that the provider has kept. */
export function isReference(message: ContentMessage | undefined): boolean {
  if (message === undefined) return false
  return message.type === 'item_reference' || (isObject(message) && isBareReference(message))
}

/** A reference may leave its type out, and is nothing but an id then. */
function isBareReference(item: JsonObject): boolean {
  if (item.role !== undefined || item.type != null || typeof item.id !== 'string') return false
  return Object.keys(item).every((key) => key === 'id' || key === 'type')
}

/**
 * Calls of an answer that are there by the ids of their items alone, which no result names: those that the results right
 * behind it answer, and that are not among its other items.
 */
function referredCalls(
  messages: readonly ContentMessage[],
  at: number,
  end: number,
): readonly { readonly id: string }[] {
  if (!isAnswerItem(messages[at])) return NO_CALLS
  const run = messages.slice(at, end)
  const references = run.filter(isReference).length
  if (references === 0) return NO_CALLS
  const own = new Set(callsIn(run).map(({ id }) => id))
  const calls: { readonly id: string }[] = []
  for (let i = end; i < messages.length && calls.length < references; i += 1) {
    const result = messages[i]
    if (!isObject(result) || result.role !== undefined || blockKind(result) !== 'result') break
    const id = resultIdOf(result)
    if (id !== undefined && !own.has(id)) calls.push({ id })
  }
  return calls
}

const NO_CALLS: readonly { readonly id: string }[] = []

/** What is known of runs of other lengths. */
function withoutRun(runs: KnownParts | null, gone: KnownParts | null): KnownParts | null {
  if (runs === null || gone === null) return runs
  return runs === gone ? runs.other : { ...runs, other: withoutRun(runs.other, gone) }
}

function partsFrom(messages: readonly ContentMessage[], views: readonly PartView[]): readonly MessagePart[] {
  // A list that grows takes room for 17 from the first on.
  const parts: MessagePart[] = new Array(views.length)
  for (let at = 0; at < views.length; at++) {
    const { part, places } = views[at] as PartView
    // It was made just now, and belongs to no one else.
    const made: { -readonly [F in keyof MessagePart]: MessagePart[F] } = part
    made[ORIGIN] = { messages, parts, at, places }
    parts[at] = made
  }
  return parts
}

/** What is made of one answer or message; null: it serves as it is. */
function viewsOf(
  run: readonly MessagePart[],
  referred: readonly { readonly id: string }[],
): readonly PartView[] | null {
  const [message] = run
  if (!isObject(message)) return null
  if (message.role === undefined && blockKind(message) === 'result')
    return [whole(resultPart(message, message))]
  if (run.length > 1 || (message.role === undefined && isAnswerItem(message)))
    return [whole({ role: 'assistant', calls: [...callsIn(run), ...referred], content: run })]
  const blocks = uiPartsOf(message)
  if (blocks !== null) return uiViews(message, blocks)
  const { role, content } = message
  if (role === 'assistant' || role === 'model') return answerView(message)
  const results = Array.isArray(content) ? content.some((block) => blockKind(block) === 'result') : false
  if (results) return splitView(message, content as readonly unknown[])
  if (role === 'tool' || role === 'function' || role === 'toolResult') return resultView(message)
  return null
}

function whole(part: ContentMessage): PartView {
  return { part, places: null }
}

function answerView(message: ContentMessage & JsonObject): readonly PartView[] | null {
  const beside = callsBeside(message)
  const { content } = message
  const own: readonly unknown[] = Array.isArray(content) ? content : NO_BLOCKS
  const calls = message.calls ?? callsIn(beside.length === 0 ? own : [...own, ...beside])
  const isPlain = beside.length === 0 && message.role === 'assistant'
  if (isPlain && (calls === message.calls || calls.length === 0)) return null
  if (isPlain) return [whole(withFields(message, { calls }))]
  return [
    whole(
      withFields(message, {
        role: 'assistant' as const,
        calls,
        content: beside.length === 0 ? content : withBeside(content, beside),
      }),
    ),
  ]
}

/** Content and the calls that are kept beside it, as blocks. */
export function withBeside(content: unknown, beside: readonly unknown[]): readonly unknown[] {
  if (Array.isArray(content)) return [...content, ...beside]
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }, ...beside] : beside
}

const NO_BLOCKS: readonly unknown[] = []

/** Calls as Chat Completions keep them, besides the content. */
export function callsBeside({ tool_calls: calls, function_call: call }: JsonObject): readonly unknown[] {
  const listed = Array.isArray(calls) ? calls : NO_BLOCKS
  return isObject(call) ? [...listed, oldCall(call)] : listed
}

/** The first form of calls in Chat Completions had no ids: the name tells one from another. */
function oldCall(call: JsonObject): JsonObject {
  return { type: 'function', id: oldCallId(call.name), function: call }
}

function oldCallId(name: unknown): string {
  return `function:${stringOf(name) ?? ''}`
}

/** The calls that need a result: not those that the provider has answered in the same message. */
function callsIn(blocks: readonly unknown[]): readonly { readonly id: string }[] {
  let calls: { readonly id: string }[] | null = null
  let answered: Set<string> | null = null
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at]
    if (!isObject(block)) continue
    const kind = blockKind(block)
    if (kind === 'result') answered = (answered ?? new Set()).add(resultIdOf(block) ?? '')
    if (kind !== 'call' || block.providerExecuted === true) continue
    const id = callIdOf(block)
    if (id === undefined) continue
    if (calls === null) calls = [{ id }]
    else calls.push({ id })
  }
  if (calls === null) return NO_CALLS
  return answered === null ? calls : calls.filter(({ id }) => answered?.has(id) === false)
}

function resultView(message: ContentMessage & JsonObject): readonly PartView[] | null {
  const resultFor =
    message.resultFor ??
    resultIdOf(message) ??
    (message.role === 'function' ? oldCallId(message.name) : undefined)
  if (message.role === 'toolResult' && message.resultFor === resultFor) return null
  const role = 'toolResult' as const
  return [whole(withFields(message, resultFor === undefined ? { role } : { role, resultFor }))]
}

const FIRST: readonly number[] = [0]

/** Each result alone, and behind them what else the message says: results go first, as every API requires. */
function splitView(message: ContentMessage & JsonObject, content: readonly unknown[]): readonly PartView[] {
  const [only] = content
  if (content.length === 1 && isObject(only)) return [{ part: resultPart(only, message), places: FIRST }]
  const results: PartView[] = []
  const rest: number[] = []
  content.forEach((block, place) => {
    if (isObject(block) && blockKind(block) === 'result')
      results.push({ part: resultPart(block, message), places: [place] })
    else rest.push(place)
  })
  if (rest.length === 0) return results
  const role = message.role === 'user' ? 'user' : 'custom'
  const part = withFields(message, { role, content: rest.map((place) => content[place]) } as const)
  return [...results, { part, places: rest }]
}

/** A result as a message, with what is known of the message that it came in. */
function resultPart(block: JsonObject, holder: ContentMessage & JsonObject): ContentMessage {
  const resultFor = resultIdOf(block)
  const toolName = stringOf(block.toolName) ?? stringOf(block.name)
  return {
    role: 'toolResult',
    ...(resultFor === undefined ? {} : { resultFor }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(hasResultFailed(block) ? { isError: true } : {}),
    ...(holder.timestamp === undefined ? {} : { timestamp: holder.timestamp }),
    ...(holder.important === undefined ? {} : { important: holder.important }),
    content: resultSaid(block, holder),
  }
}

/** What a result says: a text, blocks, or an object; data of other kinds as JSON. */
export function resultSaid(block: JsonObject, holder: ContentMessage & JsonObject): unknown {
  // An item may be its own answer: tools that were found, an approval.
  const isItem = block === holder && block.role === undefined
  const said = resultContentOf(block) ?? (isItem ? jsonText(block) : undefined)
  return typeof said === 'string' || Array.isArray(said) || isObject(said) ? said : jsonText(said)
}
