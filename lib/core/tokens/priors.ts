/**
 * What is assumed before a session has said anything: medians over 3,300 public pi and OpenClaw sessions
 * (6,945 calls with reported usage), in tokens per o200k token.
 */
export type ModelPrior = {
  /** Tokens per estimator unit. */
  readonly factor: number
  /** The same for answers whose output is not reported, text and arguments of calls, and what frames each call with its result. */
  readonly answer: { readonly text: number; readonly call: number; readonly framing: number }
  /** Tokens of an image. */
  readonly perImage: number
  /** How far estimates by this factor are off at first, in percent. */
  readonly errorPct: number
}

/** As many tokens as units: what is known of most models. */
const PLAIN = { text: 1, call: 1, framing: 12 }

/** Answers: 105 calls of Claude Code 1.0, whose output figures are of no use. */
const CLAUDE: ModelPrior = {
  factor: 1.22,
  answer: { text: 1.15, call: 1.03, framing: 57 },
  perImage: 500,
  errorPct: 15,
}

const FAMILIES: readonly (readonly [RegExp, ModelPrior])[] = [
  [/claude|anthropic/i, CLAUDE],
  [
    /gemini|gemma/i,
    { factor: 1.15, answer: { text: 1.15, call: 1.15, framing: 12 }, perImage: 260, errorPct: 15 },
  ],
  [/kimi|moonshot/i, { factor: 1, answer: PLAIN, perImage: 1900, errorPct: 12 }],
  [/gpt|codex|\bo[134]\b/i, { factor: 1, answer: PLAIN, perImage: 160, errorPct: 8 }],
]

const OTHER_MODELS: ModelPrior = { factor: 1, answer: PLAIN, perImage: 1200, errorPct: 12 }

/** The prior of a model by its name; the provider's name decides where the model's says nothing. */
export function priorFor(provider: string | null, model: string | null): ModelPrior {
  for (const name of [model, provider]) {
    const family = FAMILIES.find(([pattern]) => name !== null && pattern.test(name))
    if (family !== undefined) return family[1]
  }
  return OTHER_MODELS
}

/**
 * Tokens of system prompt and tools when neither a report nor usage tells. pi without extensions sends 1.6k to 2.6k.
 * OpenClaw sends 8k to 18k, more with every release; those that send most also write a report, so what is left for this
 * guess are the earlier, smaller ones, and one that is too high by a factor is further off than one too low by it.
 * Claude Code sends 10k to 20k, Codex 3k to 8k, OpenCode 1.18 without extensions 7.6k.
 */
export const FIXED_PRIOR = {
  pi: 2_100,
  openclaw: 9_500,
  'claude-code': 15_000,
  codex: 5_500,
  opencode: 7_600,
} as const
