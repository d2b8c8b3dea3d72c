import * as z from 'zod'

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
    /** A turn limit acts only above so many times its turns, and then cuts down to them (openclaw.md §4.2). */
    trimAbove: z.number().min(1).max(100),
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
    /** provider/model; empty: no model is asked, and the digest is the summary. */
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
    /** `seed`: the weighted sum of seed 2; `logistic`: how likely a chunk is needed again, from its age, use and size. */
    scorer: z.enum(['seed', 'logistic']),
    /** A model that says how alike texts are; without one words and hashed vectors do. */
    embedder: z.strictObject({
      /** provider/model, or empty for none. */
      model: z.string(),
      url: z.string(),
      timeoutMs: ms.min(1),
    }),
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
    /** Tool results older than `toolResultsAfterMs` go. */
    byAge: flag,
    /** Results of calls that were made again in the same words. */
    duplicates: flag,
    /** What was read of files that were read again, or written anew, since. */
    supersededReads: flag,
    /** What was written to files that were read whole, or written anew, since. */
    supersededWrites: flag,
    /** Arguments of calls that failed, `errorTurns` user turns later. The errors themselves stay. */
    errors: flag,
    errorTurns: count,
    /** Tools of which nothing is pruned; `*` stands for any letters. */
    keepTools: z.array(z.string()),
    /** Stands where a tool result or an argument was. */
    placeholder: z.string().min(1).max(200),
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
      /** Off: long results are trimmed, and none is cleared. */
      hardClear: flag,
      /** Tools whose results may be pruned; empty is all. A tool in `deny` never is. `*` stands for any letters. */
      allow: z.array(z.string()),
      deny: z.array(z.string()),
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
  flush: z.strictObject({
    softThresholdTokens: tokens,
    /** In whose name the prompt of each flush line comes, in their order; the last one serves further lines. */
    delivery: z.array(z.enum(['system', 'user'])).min(1),
  }),
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

/** A policy of which any part may be missing: what one file or one override says. */
export type PolicyPatch = DeepPartial<Policy>

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T
