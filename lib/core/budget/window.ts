/** Window assumed when nothing names one, in tokens (openclaw.md §3.2). */
export const DEFAULT_WINDOW = 200_000

/**
 * Where a window figure comes from, best first: the runtime's index for the model in use, the operator's model
 * catalogue, our table of well-known models, a prompt that was larger than the window we believed in, or nothing.
 */
export type WindowSource = 'index' | 'catalogue' | 'model' | 'observed' | 'default'

export type Window = { readonly tokens: number; readonly source: WindowSource }

/** Windows of well-known model families, in tokens; the first pattern that matches wins. */
const MODEL_WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/\[1m\]/i, 1_000_000],
  [/claude/i, 200_000],
  [/gpt-5/i, 272_000],
  [/gpt-4\.1/i, 1_047_576],
  [/gpt-4o|gpt-4-turbo/i, 128_000],
  [/gemini-(1\.5-pro)/i, 2_097_152],
  [/gemini/i, 1_048_576],
  [/kimi-k2/i, 262_144],
  [/glm-4\.[56]|glm-4\.7|glm-5/i, 202_752],
  [/minimax-m2/i, 204_800],
  [/deepseek/i, 128_000],
  [/qwen3/i, 262_144],
]

/** What is known about the windows of one session's models. Tokens. */
export type WindowHints = {
  /** The window in the runtime's index, and the model it was written for (null: not said). */
  readonly index: { readonly tokens: number; readonly model: string | null } | null
  /** Windows by model id from the operator's configuration. */
  readonly catalogue?: { readonly [model: string]: number }
}

/**
 * The window of one call. A prompt that the provider accepted proves a window at least as large, so a smaller belief
 * gives way to it.
 */
export function windowFor(hints: WindowHints, model: string | null, promptTokens: number | null): Window {
  const believed = believedWindow(hints, model)
  if (promptTokens !== null && promptTokens > believed.tokens)
    return { tokens: promptTokens, source: 'observed' }
  return believed
}

function believedWindow(hints: WindowHints, model: string | null): Window {
  const { index, catalogue } = hints
  if (
    index !== null &&
    index.tokens > 0 &&
    (index.model === null || model === null || index.model === model)
  ) {
    return { tokens: index.tokens, source: 'index' }
  }
  const configured = model === null ? undefined : catalogue?.[model]
  if (configured !== undefined && configured > 0) return { tokens: configured, source: 'catalogue' }
  const known = model === null ? undefined : MODEL_WINDOWS.find(([pattern]) => pattern.test(model))
  return known === undefined
    ? { tokens: DEFAULT_WINDOW, source: 'default' }
    : { tokens: known[1], source: 'model' }
}
