import { z } from 'zod'

/** A share of something: a number from 0 to 1. */
const share = z.number().min(0).max(1)
/** A count of tokens. */
const tokens = z.number().int().min(0)
const count = z.number().int().min(0)
const ms = z.number().min(0)
const flag = z.boolean()

/** A level of the ladder: at which share of the window it acts, and whether it does. */
const line = z.strictObject({ enabled: flag, at: share })
/** A level with several steps, each acting once per cycle. */
const steps = z.strictObject({ enabled: flag, at: z.array(share) })

/** How many user turns of a channel's sessions are sent; null is no limit. */
const turnLimit = z.number().int().min(0).nullable()

const channel = z.strictObject({
  dmTurns: turnLimit,
  groupTurns: turnLimit,
  users: z.record(z.string(), z.number().int().min(0)),
})

/**
 * Everything that decides what stays in a window, as one value. Strict: an unknown key is an error here; the readers
 * of foreign files report theirs as warnings before they come this far.
 */
export const policySchema = z.strictObject({
  /** Context windows: see `core/budget/window.ts`. Tokens. */
  window: z.strictObject({
    default: tokens.min(1),
    /** Never more than this, whatever the model could (agent cap); null is no cap. */
    cap: tokens.nullable(),
    byModel: z.record(z.string(), tokens),
    /** A run in a window below is refused, or warned about. */
    blockBelow: tokens,
    warnBelow: tokens,
    /** 2026.7 and later guard by share as well: the higher of tokens and share of the model's window. */
    blockShare: share,
    warnShare: share,
  }),
  /** The five regions (seed 0). Off: history is limited by turns alone. */
  budget: z.strictObject({
    enabled: flag,
    systemPromptRatio: share,
    bootstrapRatio: share,
    historyRatio: share,
    responseRatio: share,
    minResponseTokens: tokens,
    /** What system prompt and bootstrap files leave unused goes to history. */
    reallocate: flag,
    /** The unallocated reserve goes to history on reallocation as well. */
    reserveForHistory: flag,
  }),
  /** Head room for the answer and housekeeping. */
  reserve: z.strictObject({
    tokens,
    /** A smaller reserve is raised to this; 0 disables. */
    floor: tokens,
    /** The reserve takes at most this share of a window. */
    maxShare: share,
  }),
  /** Room kept by the token ledger (seed 4), as shares of the window, and tokens for the system prompt. */
  ledger: z.strictObject({ systemPromptTokens: tokens, responseShare: share, toolResultShare: share }),
  /** The ladder of load lines. Shares of the window. */
  lines: z.strictObject({
    curate: line,
    compact: line,
    slide: line,
    hard: line,
    checkpoints: steps,
    flush: steps,
  }),
  counting: z.strictObject({
    /** Applied in safety decisions, never to a shown figure. */
    safetyMargin: z.number().min(1),
  }),
  history: z.strictObject({
    /** User turns sent, for every channel without a rule of its own; null is no limit. */
    maxTurns: turnLimit,
    /** Limits of channels by name (telegram, discord …). */
    channels: z.record(z.string(), channel),
    /** The newest user turns that a token limit keeps whole. */
    recentTurns: count,
    /** Share of the window that history may hold after a compaction. */
    maxShare: share,
    sendThinking: flag,
  }),
  compaction: z.strictObject({
    mode: z.enum(['default', 'safeguard', 'off']),
    keepRecentTokens: tokens,
    /** Parts that a long history is split into for summarising, and the fewest messages worth a split. */
    parts: count.min(1),
    minMessages: count,
    /** A message is oversized when its tokens with margin exceed this share of the window. */
    oversizedShare: share,
    identifierPolicy: z.enum(['strict', 'off']),
    qualityRetries: count,
    timeoutMs: ms,
    retries: count,
  }),
  summary: z.strictObject({
    /** provider/model, or empty for the agent's own. */
    model: z.string(),
    url: z.string(),
    /** After so many failures in a row the model is passed over until `resetMs` has gone by. */
    failureThreshold: count,
    resetMs: ms,
    retryMs: ms,
    /** Chunks of medium score are summarised, to at most so many tokens. */
    mediumChunks: flag,
    targetTokens: tokens,
    rolling: z.strictObject({
      enabled: flag,
      windowTurns: count,
      maxTokens: tokens,
      triggerTokens: tokens,
      triggerShare: share,
    }),
    sliding: z.strictObject({ enabled: flag, everyIterations: count }),
    checkpoint: z.strictObject({ everyTurns: count, minTokens: tokens, coverage: share }),
  }),
  relevance: z.strictObject({
    /** At or below: drop. At or above `keep`: keep. Between: summarise. */
    cutoff: share,
    keep: share,
    similarityWeight: z.number().min(0),
    /** Similarity below counts as none. */
    similarityFloor: share,
    recencyBonus: z.number().min(0),
    /** `decay`: exp(−hours / recencyHours); `literal`: hours × bonus, as seed 2 writes it (rewards age). */
    recency: z.enum(['decay', 'literal']),
    recencyHours: z.number().positive(),
    importanceBonus: z.number().min(0),
    minChunks: count,
  }),
  coldStorage: z.strictObject({ enabled: flag, path: z.string(), days: z.number().min(0) }),
  pruning: z.strictObject({
    keepLastMessages: count,
    keepRecentMs: ms,
    alwaysKeep: z.array(z.string()),
    toolResultsAfterMs: ms,
    summarizeFirst: flag,
    /** OpenClaw's cache-ttl pruning of tool results. */
    cacheTtl: z.strictObject({
      enabled: flag,
      ttlMs: ms,
      keepLastAssistants: count,
      softTrimRatio: share,
      hardClearRatio: share,
      minPrunableChars: count,
      softTrimMaxChars: count,
      softTrimHeadChars: count,
      softTrimTailChars: count,
    }),
  }),
  semantic: z.strictObject({
    enabled: flag,
    maxChunks: count,
    minScore: share,
    /** Share of the bootstrap region. */
    budgetShare: share,
  }),
  bootstrap: z.strictObject({
    files: z.array(z.string()),
    maxCharsPerFile: count,
    maxCharsTotal: count,
    headShare: share,
    tailShare: share,
    /** The only files that sub-agents get. */
    subagentFiles: z.array(z.string()),
  }),
  promptCache: z.strictObject({ enabled: flag, pollSeconds: z.number().min(0) }),
  flush: z.strictObject({ softThresholdTokens: tokens }),
  logs: z.strictObject({
    path: z.string(),
    compaction: flag,
    curation: flag,
    drops: flag,
    recovery: flag,
  }),
})

export type Policy = z.infer<typeof policySchema>

export type ChannelLimits = z.infer<typeof channel>

/** A channel about which nothing was said: no limits. */
export const NO_CHANNEL_LIMITS: ChannelLimits = { dmTurns: null, groupTurns: null, users: {} }

/** A policy of which any part may be missing: what one file or one override says. */
export type PolicyPatch = DeepPartial<Policy>

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T

/** Names of the workspace files, in the order in which runtimes inject them (openclaw.md §4.3). */
export const BOOTSTRAP_FILES = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
  'MEMORY.md',
] as const

/** The defaults of features.md §1 and §2; each preset changes some of them. */
export const DEFAULT_POLICY: Policy = {
  window: {
    default: 200_000,
    cap: null,
    byModel: {},
    blockBelow: 16_000,
    warnBelow: 32_000,
    blockShare: 0,
    warnShare: 0,
  },
  budget: {
    enabled: false,
    systemPromptRatio: 0.15,
    bootstrapRatio: 0.1,
    historyRatio: 0.45,
    responseRatio: 0.2,
    minResponseTokens: 4096,
    reallocate: true,
    reserveForHistory: true,
  },
  reserve: { tokens: 20_000, floor: 20_000, maxShare: 0.25 },
  ledger: { systemPromptTokens: 0, responseShare: 0.2, toolResultShare: 0.1 },
  lines: {
    curate: { enabled: true, at: 0.4 },
    compact: { enabled: true, at: 0.5 },
    slide: { enabled: true, at: 0.7 },
    hard: { enabled: true, at: 0.85 },
    checkpoints: { enabled: true, at: [0.25, 0.5, 0.75] },
    flush: { enabled: true, at: [0.5, 0.75, 0.9] },
  },
  counting: { safetyMargin: 1.2 },
  history: { maxTurns: null, channels: {}, recentTurns: 5, maxShare: 0.5, sendThinking: false },
  compaction: {
    mode: 'safeguard',
    keepRecentTokens: 20_000,
    parts: 2,
    minMessages: 4,
    oversizedShare: 0.5,
    identifierPolicy: 'strict',
    qualityRetries: 1,
    timeoutMs: 300_000,
    retries: 3,
  },
  summary: {
    model: '',
    url: '',
    failureThreshold: 3,
    resetMs: 1_800_000,
    retryMs: 60_000,
    mediumChunks: true,
    targetTokens: 500,
    rolling: { enabled: true, windowTurns: 5, maxTokens: 2000, triggerTokens: 30_000, triggerShare: 0.8 },
    sliding: { enabled: true, everyIterations: 5 },
    checkpoint: { everyTurns: 15, minTokens: 10_000, coverage: 0.5 },
  },
  relevance: {
    cutoff: 0.3,
    keep: 0.7,
    similarityWeight: 0.6,
    similarityFloor: 0.05,
    recencyBonus: 0.2,
    recency: 'decay',
    recencyHours: 6,
    importanceBonus: 0.1,
    minChunks: 5,
  },
  coldStorage: { enabled: true, path: '~/.clawdbot/cold-storage/', days: 30 },
  pruning: {
    keepLastMessages: 10,
    keepRecentMs: 300_000,
    alwaysKeep: ['plan', 'error', 'human_input'],
    toolResultsAfterMs: 60_000,
    summarizeFirst: true,
    cacheTtl: {
      enabled: false,
      ttlMs: 300_000,
      keepLastAssistants: 3,
      softTrimRatio: 0.3,
      hardClearRatio: 0.5,
      minPrunableChars: 50_000,
      softTrimMaxChars: 4000,
      softTrimHeadChars: 1500,
      softTrimTailChars: 1500,
    },
  },
  semantic: { enabled: false, maxChunks: 5, minScore: 0.6, budgetShare: 0.3 },
  bootstrap: {
    files: [...BOOTSTRAP_FILES],
    maxCharsPerFile: 20_000,
    maxCharsTotal: 150_000,
    headShare: 0.7,
    tailShare: 0.2,
    subagentFiles: ['AGENTS.md', 'TOOLS.md'],
  },
  promptCache: { enabled: true, pollSeconds: 60 },
  flush: { softThresholdTokens: 4000 },
  logs: {
    path: '~/.clawdbot/logs/context/',
    compaction: true,
    curation: true,
    drops: true,
    recovery: true,
  },
}
