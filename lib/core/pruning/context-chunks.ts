import { isImportant } from '../relevance/importance'
import type { ChunkSignals, Scorer, UseSignals } from '../relevance/score'
import { UseTracker } from '../relevance/use-tracker'
import { PLAN_TOOLS } from '../summary/digest-prose'
import type { SourceMessage } from '../summary/source-message'
import type { Milliseconds, Tokens } from '../units/units'
import { chunkGroups } from './chunk-groups'
import type { DropChunk } from './drop-chunk'

/** A message of a context with what chunks need to know of it. */
export type ChunkMessage = Pick<
  SourceMessage,
  'entryId' | 'role' | 'text' | 'calls' | 'resultFor' | 'isError'
> & {
  readonly tokens: Tokens
  /** Milliseconds since the epoch; null when unknown. */
  readonly at: number | null
  /** The runtime's own mark. */
  readonly important?: boolean
}

/** A chunk before it has a score, and its text as it is compared with a prompt. */
export type ContextChunk = Omit<DropChunk, 'score'> & {
  readonly text: string
  readonly output: string | null
}

/** Arguments that are nested deeper than tools nest them are left out. */
const MAX_DEPTH = 6

/**
 * The chunks of a context in their order, pairs whole. Users' messages are of the kind `human_input`, failures of the
 * kind `error`, calls of tools that keep a plan of the kind `plan`, as policies name them.
 */
export function contextChunks(messages: readonly ChunkMessage[]): ContextChunk[] {
  return chunkGroups(messages).map((members) => contextChunk(messages, members))
}

function contextChunk(messages: readonly ChunkMessage[], members: readonly number[]): ContextChunk {
  const parts: ChunkMessage[] = []
  let output: string | null = null
  let others: string | null = null
  let tokens = 0
  let at: number | null = null
  for (const place of members) {
    const part = messages[place]
    if (part === undefined) continue
    parts.push(part)
    tokens += part.tokens
    if (part.at !== null && (at === null || part.at > at)) at = part.at
    if (part.role === 'assistant') output = onNewLine(output, writtenBy(part))
    else others = onNewLine(others, part.text)
  }
  return {
    id: parts[0]?.entryId ?? '',
    members,
    tokens,
    at,
    role: roleOf(parts),
    important: parts.some(isImportant),
    kinds: kindsOf(parts),
    text: others === null ? (output ?? '') : onNewLine(output, others),
    output,
  }
}

function onNewLine(text: string | null, more: string): string {
  return text === null ? more : `${text}\n${more}`
}

/** How the model drew on each chunk so far, with `outputSimilarity` still to be filled in, and what it wrote last. */
export function trackUse(chunks: readonly ContextChunk[]): UseTracker {
  const tracker = new UseTracker()
  for (const { text, output, tokens } of chunks) {
    if (output !== null) tracker.addOutput(output)
    tracker.addChunk(text, tokens)
  }
  return tracker
}

/**
 * Gives each chunk its score.
 * @param similarity likeness of each to the prompt, 0 … 1
 * @param use null where the scorer does not look at it
 */
export function scoreChunks(
  chunks: readonly ContextChunk[],
  scorer: Scorer,
  given: {
    readonly similarity: ArrayLike<number>
    readonly use: readonly UseSignals[] | null
    readonly now: Milliseconds
  },
): (DropChunk & ContextChunk)[] {
  return chunks.map((chunk, place) => {
    const signals: ChunkSignals = {
      similarity: given.similarity[place] ?? 0,
      ageMs: chunk.at === null ? null : given.now - chunk.at,
      important: chunk.important,
      use: given.use?.[place] ?? null,
    }
    return { ...chunk, score: scorer.score(signals) }
  })
}

function roleOf(parts: readonly ChunkMessage[]): DropChunk['role'] {
  if (parts.some(({ role }) => role === 'toolResult')) return 'tool'
  const role = parts[0]?.role
  return role === 'user' || role === 'summary' ? role : 'other'
}

function kindsOf(parts: readonly ChunkMessage[]): string[] {
  const kinds: string[] = []
  if (parts.some(({ role }) => role === 'user')) kinds.push('human_input')
  if (parts.some(({ isError }) => isError === true)) kinds.push('error')
  if (parts.some(({ calls }) => calls.some(({ name }) => PLAN_TOOLS.test(name)))) kinds.push('plan')
  return kinds
}

/** Text and the texts in the arguments of calls, as they are, without the escapes of JSON. */
function writtenBy({ text, calls }: ChunkMessage): string {
  let written = text
  for (const { name, input } of calls) written += `\n${name} ${textIn(input, 0)}`
  return written
}

function textIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth === MAX_DEPTH) return ''
  return Object.values(value)
    .map((part) => textIn(part, depth + 1))
    .join('\n')
}
