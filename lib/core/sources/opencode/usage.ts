import { isObject, type JsonObject, numberOf } from '../../transcript/json'

/**
 * What a request used. `tokens.output` is without what was thought, which is billed and counted as output here.
 * @param holder a `step-finish` part, or the message
 */
export function usageOf(holder: JsonObject | null): JsonObject | undefined {
  if (holder === null || !isObject(holder.tokens)) return undefined
  const { input, output, reasoning, cache } = holder.tokens
  const { read, write } = isObject(cache) ? cache : { read: 0, write: 0 }
  return {
    input: numberOf(input) ?? 0,
    output: (numberOf(output) ?? 0) + (numberOf(reasoning) ?? 0),
    cacheRead: numberOf(read) ?? 0,
    cacheWrite: numberOf(write) ?? 0,
    cost: { total: numberOf(holder.cost) ?? 0 },
  }
}
