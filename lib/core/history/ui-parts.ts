import { withFields } from '../objects/with-fields'
import {
  blockKind,
  callIdOf,
  callNameOf,
  hasResultFailed,
  isUiTool,
  resultContentOf,
} from '../transcript/blocks'
import { isObject, type JsonObject, stringOf } from '../transcript/json'
import type { MessagePart, PartOrigin, PartView } from './part-origin'
import { ORIGIN } from './part-origin'
import { shortDigest } from './short-digest'
import type { ContentMessage } from './thinking'

/** Whether a message is a UIMessage of the AI SDK, whose blocks are in `parts`. */
export function uiPartsOf(message: unknown): readonly unknown[] | null {
  // Facts about messages have parts as well, beside their calls.
  const isMessage = isObject(message) && message.calls === undefined && message.resultFor === undefined
  return isMessage && Array.isArray(message.parts) ? message.parts : null
}

/**
 * A UIMessage as answers and results. One message holds a whole turn, and each of its tools call and result in one
 * block: an answer is what is between two steps, with all its calls, and what its tools said follows it.
 */
export function uiViews(
  message: ContentMessage & JsonObject,
  blocks: readonly unknown[],
): readonly PartView[] {
  const { parts: _parts, ...holder } = message
  if (message.role !== 'assistant') return [{ part: withFields(holder, { content: blocks }), places: null }]
  const views: PartView[] = []
  let open: number[] = []
  const close = () => {
    if (open.length === 0 && blocks.length > 0) return
    const content = open.map((place) => blocks[place])
    const tools = open.filter((place) => blockKind(blocks[place]) === 'call')
    const calls = tools.flatMap((place) => idsOf(blocks[place]))
    // One id for one part: the others are known by their place.
    const { id: _id, ...others } = holder
    const part = withFields(views.length === 0 ? holder : others, { role: 'assistant', calls, content })
    views.push({ part, places: open })
    for (const place of tools) {
      const block = blocks[place]
      if (isAnswered(block)) views.push({ part: resultOf(block, holder), places: [place] })
    }
    open = []
  }
  blocks.forEach((block, place) => {
    if (isObject(block) && block.type === 'step-start') close()
    open.push(place)
  })
  close()
  return views
}

function idsOf(block: unknown): { readonly id: string }[] {
  const id = isObject(block) ? callIdOf(block) : undefined
  return id === undefined ? [] : [{ id }]
}

/** Whether a call that the application runs has its answer in it. */
function isAnswered(block: unknown): block is JsonObject {
  return isObject(block) && resultContentOf(block) !== undefined
}

function resultOf(block: JsonObject, { timestamp, important }: JsonObject): ContentMessage {
  return {
    role: 'toolResult',
    resultFor: callIdOf(block),
    toolName: callNameOf(block),
    ...(hasResultFailed(block) ? { isError: true } : {}),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(important === undefined ? {} : { important }),
    content: resultContentOf(block),
  }
}

/**
 * The message with those of its parts that are there. A result that was changed is the output of its block, and one
 * that was made for a call without any is what went wrong with it.
 */
export function uiRejoined(
  message: ContentMessage & JsonObject,
  { parts }: Pick<PartOrigin, 'parts'>,
  group: readonly MessagePart[],
): ContentMessage {
  const own = uiPartsOf(message) ?? []
  const results = new Map<unknown, MessagePart>()
  for (const part of group) if (part.role === 'toolResult') results.set(part.resultFor, part)
  const isOwn = (part: MessagePart) => part === parts[part[ORIGIN]?.at ?? -1]
  const withOutput = (block: unknown): unknown => {
    if (!isObject(block) || !isUiTool(block) || blockKind(block) !== 'call') return block
    const result = results.get(callIdOf(block))
    results.delete(callIdOf(block))
    if (result === undefined) return isAnswered(block) ? asOpen(block) : block
    return isOwn(result) ? block : said(block, result)
  }
  const blocks = group.flatMap((part): readonly unknown[] =>
    part.role === 'toolResult' ? [] : blocksOf(part.content).map(withOutput),
  )
  // Without its call, which is elsewhere: only while it is looked at alone.
  const alone = [...results.values()].flatMap((part): readonly unknown[] => {
    const block = own[part[ORIGIN]?.places?.[0] ?? -1]
    return isObject(block) ? [{ ...(isOwn(part) ? block : said(block, part)), input: {} }] : []
  })
  return { ...message, parts: [...blocks, ...alone] } as ContentMessage
}

function blocksOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return content === undefined || content === '' ? [] : [{ type: 'text', text: content }]
}

/** The block with what a part says now. What was denied stays so. */
function said(block: JsonObject, { content, isError }: MessagePart): JsonObject {
  const text = blocksOf(content)
    .flatMap((one) => (isObject(one) ? (stringOf(one.text) ?? []) : []))
    .join('\n')
  if (block.state === 'output-denied') return block
  const { output: _output, errorText: _errorText, preliminary: _preliminary, ...rest } = block
  const hasFailed = isError === true || block.state === 'output-error'
  return hasFailed
    ? { ...rest, state: 'output-error', errorText: text }
    : { ...rest, state: 'output-available', output: text }
}

function asOpen(block: JsonObject): JsonObject {
  const { output: _output, errorText: _errorText, preliminary: _preliminary, ...rest } = block
  return { ...rest, state: 'input-available' }
}

/**
 * Messages that go back to an agent which keeps UIMessages: what was made of a text is one as well, and an id that two
 * pieces of one message would have is made anew for the second. The same list where nothing is to be done.
 * @param samples messages of the agent, by which its form is known where none of the others show it
 */
export function asUiMessages<M extends ContentMessage>(
  messages: readonly M[],
  samples: readonly M[],
): readonly M[] {
  const isUi = (message: M) => uiPartsOf(message) !== null
  if (!messages.some(isUi) && !samples.some(isUi)) return messages
  const own = new Set(samples)
  const taken = new Set<unknown>()
  for (const message of messages) if (own.has(message)) taken.add(message.id)
  let isSame = true
  const made = messages.map((message) => {
    if (own.has(message) || (isUi(message) && !taken.has(message.id))) {
      taken.add(message.id)
      return message
    }
    isSame = false
    const { content, ...rest } = message
    const parts = uiPartsOf(message) ?? blocksOf(content)
    const id = freeId(stringOf(message.id) ?? `made-${shortDigest(JSON.stringify(parts))}`, taken)
    taken.add(id)
    // What is made has fields of a UIMessage and no more.
    return (isUi(message) ? { ...message, id } : { ...rest, id, parts }) as unknown as M
  })
  return isSame ? messages : made
}

function freeId(id: string, taken: ReadonlySet<unknown>): string {
  let free = id
  for (let n = 2; taken.has(free); n += 1) free = `${id}-${n}`
  return free
}
