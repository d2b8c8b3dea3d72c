import { append } from '../lists/long-lists'
import { blockKind, callIdOf, hasResultFailed, resultContentOf, resultIdOf } from '../transcript/blocks'
import { isObject, type JsonObject, jsonText, stringOf } from '../transcript/json'
import { type MessagePart, ORIGIN, type PartOrigin, type PartView } from './part-origin'
import { rejoined } from './rejoin-parts'
import type { ContentMessage } from './thinking'
import { uiPartsOf, uiViews } from './ui-parts'

/**
 * The same messages give the same parts, as long as they are referenced; by the first of them and their number. An agent
 * that streams an answer adds blocks to the same object: then it is taken apart anew.
 */
const known = new WeakMap<
  ContentMessage,
  Map<number, { readonly origin: PartOrigin; readonly blocks: number }>
>()
/** Messages that serve as they are, by how many blocks they had. */
const asTheyAre = new WeakMap<ContentMessage, number>()

/**
 * Takes messages apart, whatever API they are for: each result is its own part, an answer is one with all its calls.
 * What needs no taking apart is the same object.
 */
export function splitMessages<M extends ContentMessage>(messages: readonly M[]): readonly M[] {
  let parts: MessagePart[] | null = null
  for (let at = 0; at < messages.length; ) {
    const message = messages[at]
    if (message !== undefined && isAsItIs(message) && !isAnswerItem(message)) {
      parts?.push(message)
      at += 1
      continue
    }
    const run = runAt(messages, at)
    const made = partsOfRun(run)
    if (parts === null && made !== run && made[0] !== run[0]) parts = messages.slice(0, at)
    if (parts !== null) append(parts, made)
    at += run.length
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
  const messages: ContentMessage[] = []
  for (let from = 0; from < parts.length; ) {
    const origin = parts[from]?.[ORIGIN]
    const end = groupEnd(parts, from)
    const group = parts.slice(from, end)
    const isWhole =
      group.length === origin?.parts.length && group.every((part, i) => part === origin.parts[i])
    if (origin === undefined) append(messages, group)
    else append(messages, isWhole ? origin.messages : rejoined(origin, group))
    from = end
  }
  return messages as M[]
}

/** The calls of a message that need a result, whatever API it is for. */
export function callsOf(message: ContentMessage): readonly { readonly id: string }[] {
  return splitMessages([message]).flatMap(({ calls }) => calls ?? [])
}

/** Where the parts of one message end; what was made for a call of a UIMessage that has no result belongs to it. */
function groupEnd(parts: readonly MessagePart[], from: number): number {
  const isUi = uiPartsOf(parts[from]?.[ORIGIN]?.messages[0]) !== null
  let last = parts[from]
  let end = from + 1
  for (; end < parts.length; end += 1) {
    const next = parts[end]
    if (follows(last, next)) last = next
    else if (!isUi || next?.role !== 'toolResult' || next[ORIGIN] !== undefined) break
  }
  return end
}

/** Whether the second part comes of the same message, further behind. */
function follows(first: MessagePart | undefined, next: MessagePart | undefined): boolean {
  const [a, b] = [first?.[ORIGIN], next?.[ORIGIN]]
  return a !== undefined && b !== undefined && a.messages === b.messages && a.at < b.at
}

/** The messages from a place on that are one answer: the items of Responses up to the next result or request. */
function runAt(messages: readonly ContentMessage[], at: number): readonly ContentMessage[] {
  let end = at
  while (end < messages.length && isAnswerItem(messages[end])) end += 1
  return messages.slice(at, Math.max(end, at + 1))
}

function isAnswerItem(message: ContentMessage | undefined): boolean {
  if (!isObject(message) || typeof message.type !== 'string') return false
  if (message.role === undefined) return blockKind(message) !== 'result'
  // Facts of transcripts have a type and a role as well, and no content.
  return message.type === 'message' && message.role === 'assistant' && Array.isArray(message.content)
}

function isAsItIs(message: ContentMessage): boolean {
  return asTheyAre.get(message) === blocksOf(message)
}

/** How many blocks and calls a message has, wherever it keeps them: more of them when it grew in place. */
export function blocksOf(message: object): number {
  const { content, tool_calls: calls, parts } = message as JsonObject
  return lengthOf(content) + lengthOf(calls) + lengthOf(parts)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function partsOfRun(run: readonly ContentMessage[]): readonly MessagePart[] {
  const [first] = run
  if (first === undefined || (run.length === 1 && isAsItIs(first))) return run
  const before = known.get(first)?.get(run.length)
  const blocks = run.reduce((sum, message) => sum + blocksOf(message), 0)
  if (before?.blocks === blocks && run.every((message, i) => message === before.origin.messages[i]))
    return before.origin.parts
  const views = viewsOf(run)
  if (views === null) {
    asTheyAre.set(first, blocks)
    return run
  }
  const parts: MessagePart[] = []
  for (const { part, places } of views)
    parts.push({ ...part, [ORIGIN]: { messages: run, parts, at: parts.length, places } })
  const origin = parts[0]?.[ORIGIN]
  if (origin !== undefined) {
    const runs = known.get(first) ?? new Map<number, { origin: PartOrigin; blocks: number }>()
    known.set(first, runs.set(run.length, { origin, blocks }))
  }
  return parts
}

/** What is made of one answer or message; null: it serves as it is. */
function viewsOf(run: readonly MessagePart[]): readonly PartView[] | null {
  const [message] = run
  if (!isObject(message) || message[ORIGIN] !== undefined) return null
  if (message.role === undefined && blockKind(message) === 'result')
    return [whole(resultPart(message, message))]
  if (run.length > 1 || (message.role === undefined && isAnswerItem(message)))
    return [whole({ role: 'assistant', calls: callsIn(run), content: run })]
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
  const beside = [
    ...(Array.isArray(message.tool_calls) ? message.tool_calls : []),
    ...(isObject(message.function_call) ? [oldCall(message.function_call)] : []),
  ]
  const { content } = message
  const own = Array.isArray(content) ? content : []
  const calls = message.calls ?? callsIn([...own, ...beside])
  if (beside.length === 0 && (calls === message.calls || calls.length === 0) && message.role === 'assistant')
    return null
  const text = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : own
  return [
    whole({
      ...message,
      role: 'assistant',
      calls,
      content: beside.length === 0 ? content : [...text, ...beside],
    }),
  ]
}

/** The first form of calls in Chat Completions had no ids: the name tells one from another. */
function oldCall(call: JsonObject): JsonObject {
  return { type: 'function', id: oldCallId(call.name), function: call }
}

function oldCallId(name: unknown): string {
  return `function:${stringOf(name) ?? ''}`
}

/** The calls that need a result: not those that the provider has answered in the same message. */
function callsIn(blocks: readonly unknown[]): { readonly id: string }[] {
  const answered = new Set<string>()
  for (const block of blocks)
    if (isObject(block) && blockKind(block) === 'result') answered.add(resultIdOf(block) ?? '')
  return blocks.flatMap((block) => {
    if (!isObject(block) || blockKind(block) !== 'call' || block.providerExecuted === true) return []
    const id = callIdOf(block)
    return id === undefined || answered.has(id) ? [] : [{ id }]
  })
}

function resultView(message: ContentMessage & JsonObject): readonly PartView[] | null {
  const resultFor =
    message.resultFor ??
    resultIdOf(message) ??
    (message.role === 'function' ? oldCallId(message.name) : undefined)
  if (message.role === 'toolResult' && message.resultFor === resultFor) return null
  return [whole({ ...message, role: 'toolResult', ...(resultFor === undefined ? {} : { resultFor }) })]
}

/** Each result alone, and behind them what else the message says: results go first, as every API wants them. */
function splitView(message: ContentMessage & JsonObject, content: readonly unknown[]): readonly PartView[] {
  const results: PartView[] = []
  const rest: number[] = []
  content.forEach((block, place) => {
    if (isObject(block) && blockKind(block) === 'result')
      results.push({ part: resultPart(block, message), places: [place] })
    else rest.push(place)
  })
  if (rest.length === 0) return results
  const role = message.role === 'user' ? 'user' : 'custom'
  const part = { ...message, role, content: rest.map((place) => content[place]) }
  return [...results, { part, places: rest }]
}

/** A result as a message, with what is known of the message that it came in. */
function resultPart(block: JsonObject, holder: ContentMessage & JsonObject): ContentMessage {
  // An item may be its own answer: tools that were found, an approval.
  const isItem = block === holder && block.role === undefined
  const said = resultContentOf(block) ?? (isItem ? jsonText(block) : undefined)
  const resultFor = resultIdOf(block)
  const toolName = stringOf(block.toolName) ?? stringOf(block.name)
  return {
    role: 'toolResult',
    ...(resultFor === undefined ? {} : { resultFor }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(hasResultFailed(block) ? { isError: true } : {}),
    ...(holder.timestamp === undefined ? {} : { timestamp: holder.timestamp }),
    ...(holder.important === undefined ? {} : { important: holder.important }),
    content: typeof said === 'string' || Array.isArray(said) || isObject(said) ? said : jsonText(said),
  }
}
