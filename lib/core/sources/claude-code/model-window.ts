import type { Tokens } from '../../units/units'

/** What the client gives a model that it has no other figure for. Tokens. */
const USUAL: Tokens = 200_000
const MILLION: Tokens = 1_000_000

/** Models that have the window of a million tokens without being asked for it. */
const NATIVE_MILLION = /(^|[./@])claude-(opus-4-[78]|(opus|sonnet|haiku|fable|mythos)-5)(?![a-z0-9])/i
/** How a request for that window is written. Transcripts leave it out. */
const ASKED_FOR = /\[1m\]$/i
const OF_THE_MAKER = /(^|[./@])claude-/i

/**
 * The window that Claude Code itself reckons with for a model, whatever the model could take at its provider; null: it
 * is not a model of its maker. Read in the table of models of 2.1.330, and seen with `claude-opus-5-5`: no compaction
 * at 900,000 tokens, one at 975,000 (lib/docs/claude-code-and-codex.md#line-of-claude-code). Releases before the models
 * do not know them.
 */
export function claudeCodeModelWindow(model: string | null): Tokens | null {
  if (model === null) return null
  if (ASKED_FOR.test(model) || NATIVE_MILLION.test(model)) return MILLION
  return OF_THE_MAKER.test(model) ? USUAL : null
}
