import { isObject, type JsonObject } from '../../core/transcript/json'
import type { Tokens } from '../../core/units/units'
import { ContextOptionError, shownValue } from './option-error'

/** What a provider counted for one request; null where it does not say. Tokens. */
export type UsageCounts = {
  /** Of the whole prompt, what came from a cache or went into one included. */
  readonly prompt: Tokens | null
  readonly output: Tokens | null
  readonly cacheRead: Tokens
  readonly cacheWrite: Tokens
}

type Fields = { readonly [K in keyof UsageCounts]: unknown } & {
  /** Whether what was cached is counted in `prompt`. */
  readonly isWhole: boolean
}

/** A shape of usage: fields by which it is known, and how it is read. */
type Shape = {
  readonly name: string
  readonly has: readonly string[]
  readonly read: (usage: JsonObject) => Fields
}

const inside = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** In the order in which they are tried. */
const SHAPES: readonly Shape[] = [
  {
    name: 'AI SDK (inputTokens, outputTokens)',
    has: ['inputTokens', 'outputTokens'],
    read: ({ inputTokens, outputTokens, cachedInputTokens, inputTokenDetails }) => ({
      prompt: isObject(inputTokens) ? inputTokens.total : inputTokens,
      output: isObject(outputTokens) ? outputTokens.total : outputTokens,
      cacheRead:
        inside(inputTokens, 'cacheRead') ?? inside(inputTokenDetails, 'cacheReadTokens') ?? cachedInputTokens,
      cacheWrite: inside(inputTokens, 'cacheWrite') ?? inside(inputTokenDetails, 'cacheWriteTokens'),
      isWhole: true,
    }),
  },
  {
    name: 'OpenAI Chat Completions (prompt_tokens, completion_tokens)',
    has: ['prompt_tokens'],
    read: ({ prompt_tokens, completion_tokens, prompt_tokens_details }) => ({
      prompt: prompt_tokens,
      output: completion_tokens,
      cacheRead: inside(prompt_tokens_details, 'cached_tokens'),
      cacheWrite: undefined,
      isWhole: true,
    }),
  },
  {
    // LangChain's usage_metadata is the same but for the name of the details.
    name: 'OpenAI Responses (input_tokens, output_tokens, total_tokens)',
    has: ['input_tokens', 'total_tokens'],
    read: ({ input_tokens, output_tokens, input_tokens_details, input_token_details }) => ({
      prompt: input_tokens,
      output: output_tokens,
      cacheRead: inside(input_tokens_details, 'cached_tokens') ?? inside(input_token_details, 'cache_read'),
      cacheWrite: inside(input_token_details, 'cache_creation'),
      isWhole: true,
    }),
  },
  {
    name: 'Anthropic (input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens)',
    has: ['input_tokens'],
    read: ({ input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens }) => ({
      prompt: input_tokens,
      output: output_tokens,
      cacheRead: cache_read_input_tokens,
      cacheWrite: cache_creation_input_tokens,
      isWhole: false,
    }),
  },
  {
    name: 'plain ({ prompt, output })',
    has: ['prompt'],
    read: ({ prompt, output }) => ({ prompt, output, cacheRead: 0, cacheWrite: 0, isWhole: true }),
  },
  {
    name: 'pi (input, output, cacheRead, cacheWrite)',
    has: ['input', 'output'],
    read: ({ input, output, cacheRead, cacheWrite }) => ({
      prompt: input,
      output,
      cacheRead,
      cacheWrite,
      isWhole: false,
    }),
  },
]

/**
 * Reads what a provider reported, in the shape of any API.
 * @throws ContextOptionError for another shape, and for counts that are no numbers of tokens
 */
export function readReportedUsage(usage: unknown): UsageCounts {
  const shape = isObject(usage) ? SHAPES.find(({ has }) => has.every((name) => name in usage)) : undefined
  if (!isObject(usage) || shape === undefined) {
    const inner = isObject(usage) && isObject(usage.usage) ? ' Give its field `usage`.' : ''
    throw new ContextOptionError(
      'usage',
      `report was given ${shownValue(usage)}, and no usage that is known.${inner} Known are ${SHAPES.map(({ name }) => name).join('; ')}.`,
    )
  }
  const { prompt, output, cacheRead, cacheWrite, isWhole } = shape.read(usage)
  const known = {
    cacheRead: count('cacheRead', cacheRead) ?? 0,
    cacheWrite: count('cacheWrite', cacheWrite) ?? 0,
  }
  const sent = count('prompt', prompt)
  const whole = sent === null || isWhole ? sent : sent + known.cacheRead + known.cacheWrite
  // Providers that count nothing report zeros.
  return { prompt: whole === 0 ? null : whole, output: count('output', output), ...known }
}

function count(what: string, value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new ContextOptionError(
    `usage.${what}`,
    `The usage that was reported says ${shownValue(value)} for the tokens of ${what}: a number of at least 0 is expected, or nothing.`,
  )
}
