import { isObject, numberOf } from '../../transcript/json'
import { SAID, type TranslatedEntry } from '../../transcript/reading/translated'

/**
 * What a request used. `input_tokens` includes what came from the cache.
 * @param total what the whole session used: the same again is the same report
 */
export function usageEntry(
  usage: unknown,
  total: unknown,
  responseId: unknown,
  window: number | undefined,
): TranslatedEntry[] {
  if (!isObject(usage)) return []
  const cacheRead = numberOf(usage.cached_input_tokens) ?? 0
  const cacheWrite = numberOf(usage.cache_write_input_tokens) ?? 0
  const input = (numberOf(usage.input_tokens) ?? 0) - cacheRead - cacheWrite
  const billed = isObject(total) ? numberOf(total.total_tokens) : undefined
  return [
    {
      type: 'usage',
      responseId,
      usage: {
        input,
        output: numberOf(usage.output_tokens) ?? 0,
        reasoning: numberOf(usage.reasoning_output_tokens),
        cacheRead,
        cacheWrite,
      },
      [SAID]: { ...(billed !== undefined && { billed }), ...(window !== undefined && { window }) },
    },
  ]
}
