/** What one made-up session is to look like. Everything else follows from chance and these figures. */
export type SessionScript = {
  readonly title: string
  readonly provider: string
  readonly api: string
  readonly model: string
  /** Tokens. */
  readonly window: number
  /** The runtime compacts before a prompt would be larger, in tokens. */
  readonly compactAt: number
  /** Size of the fixed part (system prompt, tools) in tokens, as the provider would count it. */
  readonly fixedTokens: number
  /** Model calls to make. */
  readonly calls: number
  /** Stop sooner, when a prompt fills this share of window − reserve. */
  readonly stopAtFill?: number
  /** Length of a typical tool result in characters. */
  readonly resultChars: number
  /** Milliseconds since the epoch of the first line, and pause between two turns. */
  readonly startedAt: number
  readonly pauseMs: number
  readonly cwd: string
  /** Things that go wrong or are seldom, each at most once. */
  readonly oddities: readonly Oddity[]
}

export type Oddity =
  /** A tool result whose call is not there. */
  | 'orphan-result'
  /** A line cut off in its middle by a crash. */
  | 'unreadable-line'
  /** An entry of a type that no reader knows. */
  | 'unknown-entry'
  /** A call that the operator stopped: no usage. */
  | 'aborted-call'
  /** A call that the provider refused. */
  | 'failed-call'
  /** The provider reports zeros only. */
  | 'no-usage'
  /** The second half runs on another model. */
  | 'model-switch'
  /** A reply that was only mirrored to a channel; no model saw it. */
  | 'delivery-mirror'
  /** A reply that is the silent token only. */
  | 'silent-reply'
  /** A picture sent by the user. */
  | 'picture'
  /** The user goes back and tries another way; the old branch stays in the file. */
  | 'branch'
  /** Markup, escape sequences and bidi marks in the text. */
  | 'hostile-text'

/** Another model for `model-switch`. */
export const OTHER_MODEL = { provider: 'openai', api: 'openai-responses', model: 'gpt-5.1' } as const

/** Tokens of the newest conversation that survive a compaction. */
export const DEMO_KEEP_RECENT = 12_000
