import type { Tokens } from '../units/units'
/** Window assumed when nothing names one, in tokens (lib/docs/openclaw.md#limits-of-a-compaction). */
export const DEFAULT_WINDOW = 200_000

/**
 * Where a window figure comes from: the provider cut prompts to it (`cut`), a provider took a larger prompt than the
 * window that was believed in (`observed`); else, best first, the runtime's index for the model in use, the operator's
 * model catalogue, what the runtime itself reckons with (`client`), the list of models (`model`), or nothing (`default`).
 */
export const WINDOW_SOURCES = ['cut', 'index', 'catalogue', 'client', 'model', 'observed', 'default'] as const

export type WindowSource = (typeof WINDOW_SOURCES)[number]

/** The window that a runtime reckons with, whatever its provider takes or cuts prompts to: its lines are in it. */
export type BelievedWindow = {
  readonly tokens: Tokens
  readonly source: Exclude<WindowSource, 'cut' | 'observed'>
}

export type Window = {
  readonly tokens: Tokens
  readonly source: WindowSource
  /** Only where a provider proved another one. */
  readonly believed?: BelievedWindow
}

/** What is known about the windows of one session's models. Tokens. */
export type WindowHints = {
  /** The window in the runtime's index, and the model it was written for (null: not said). */
  readonly index: { readonly tokens: Tokens; readonly model: string | null } | null
  /** Windows by model id from the operator's configuration. */
  readonly catalogue?: { readonly [model: string]: number }
  /** What the runtime reckons with for a model, whatever the model could take; null: it does not know the model. */
  readonly client?: (model: string | null) => number | null
  /** What the list of models says (`listedWindow`); absent where only the operator's word counts. */
  readonly listed?: (provider: string | null, model: string | null) => number | null
}

/** What usage that a provider reported proves about a window, in tokens. An estimate proves nothing. */
export type WindowProof = {
  /** The largest prompt that was reported; the window is at least as large. */
  readonly accepted: number | null
  /** The size that prompts are cut to. */
  readonly cut: number | null
}

export const NO_PROOF: WindowProof = { accepted: null, cut: null }

/** The window of a model: as what was reported proves it, else as it is believed to be. */
export function windowFor(
  hints: WindowHints,
  model: string | null,
  proof: WindowProof,
  provider: string | null = null,
): Window {
  const believed = believedWindow(hints, model, provider)
  if (proof.cut !== null) return { tokens: proof.cut, source: 'cut', believed }
  if (proof.accepted !== null && proof.accepted > believed.tokens) {
    const proved = { tokens: proof.accepted, source: 'observed' } as const
    // What is only assumed is refuted by it.
    return believed.source === 'default' ? proved : { ...proved, believed }
  }
  return believed
}

function believedWindow(hints: WindowHints, model: string | null, provider: string | null): BelievedWindow {
  const { index, catalogue, client, listed } = hints
  if (
    index !== null &&
    index.tokens > 0 &&
    (index.model === null || model === null || index.model === model)
  ) {
    return { tokens: index.tokens, source: 'index' }
  }
  const configured = model === null ? undefined : catalogue?.[model]
  if (configured !== undefined && configured > 0) return { tokens: configured, source: 'catalogue' }
  const reckoned = client?.(model) ?? null
  if (reckoned !== null) return { tokens: reckoned, source: 'client' }
  const tokens = listed?.(provider, model) ?? null
  return tokens === null ? { tokens: DEFAULT_WINDOW, source: 'default' } : { tokens, source: 'model' }
}
