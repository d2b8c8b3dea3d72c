import { SPAN_CLASSES } from '../relevance/spans'
import type { Sender } from '../transcript/send-rules'
import type { Milliseconds, Tokens } from '../units/units'

/** Version of what is prepared of a session: what another one prepared is prepared again. */
export const REPLAY_VERSION = 7

/** What a chunk is, by its number in `ReplayChunks.kind`. */
export const REPLAY_KINDS = ['user', 'prose', 'call', 'result', 'rule', 'other'] as const

/** What a need is of, by its number in `ReplayNeeds.kind`: a span, a text that was copied, or a rule. */
export const NEED_KINDS = [...SPAN_CLASSES, 'copy', 'rule'] as const

/** What a digest takes over word for word, by its number in `ReplayDigestLines.kind`. */
export const DIGEST_LINES = ['goal', 'newest', 'ask', 'rule', 'decision'] as const

/** Bits of `ReplayChunks.flags`. */
export const CHUNK_FLAGS = {
  /** The result of a call that failed. */
  error: 1,
  /** Its writer or its runtime marked it as important. */
  important: 2,
  /** Its call names a path, an address or a command, so that it can be had again. */
  locator: 4,
  /** The runtime put it there by itself after a compaction: without one it would not be there. */
  reread: 8,
} as const

/** The call number of what never comes. */
export const NEVER = 0x7fffffff

/**
 * The smallest pieces that a policy may change, in the order of the path, as if nothing had ever been compacted or
 * dropped. One number per chunk in every array.
 */
export type ReplayChunks = {
  readonly count: number
  /** As the provider counts: estimates times the session's factor. */
  readonly tokens: Int32Array
  /**
   * As the runtime's own compaction charges for it (`runtimeTokens` of its entry, shared out over its blocks): its cut
   * is found by these.
   */
  readonly size: Int32Array
  /** Tokens of a call whose long arguments were cleared; of anything else, and where none is long, its tokens. */
  readonly cleared: Int32Array
  /** The first call whose prompt holds it, from 0; it never falls. */
  readonly born: Int32Array
  readonly kind: Uint8Array
  /** A call and its results have the same one: they leave together, or the result leaves a stub. */
  readonly group: Int32Array
  /** Block of lines within its result, from 0. */
  readonly block: Int32Array
  /** Number in `ReplaySession.tools`; -1: none. */
  readonly tool: Int32Array
  /** How many messages of the user there were up to it. */
  readonly turn: Int32Array
  readonly flags: Uint8Array
  /** The call from which on a later read or write of the same file takes its place; `NEVER`. */
  readonly superseded: Int32Array
  /** Of a result: the call from which on the same call, made again in the same words, was answered; `NEVER`. */
  readonly repeated: Int32Array
  /** Of a call and its results: number in `ReplaySpans` of the file that it was about; -1: of none that is known. */
  readonly file: Int32Array
  /** Sequence number of its entry, and where its text is in that of the entry (`entryText`), in characters. */
  readonly entry: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
}

/** The recorded calls, from 0. -1 and NaN: not recorded. */
export type ReplayCalls = {
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly at: Float64Array
  /** The prompt as reported, and what of it was read from the cache and written to it. Tokens. */
  readonly prompt: Int32Array
  readonly cacheRead: Int32Array
  readonly cacheWrite: Int32Array
  readonly output: Int32Array
  /** What the model was sent at most: where the provider cuts prompts, what it cuts them to. Tokens. */
  readonly window: Int32Array
  /** What the runtime reckons with, where a provider proved another window; -1: the same. Tokens. */
  readonly believed: Int32Array
  /** Number in `ReplaySession.models`. */
  readonly model: Int32Array
  /** Sequence number of the entry of its answer. */
  readonly entry: Int32Array
}

/**
 * What calls wrote that was in chunks before them: any of those could have given it (lib/docs/replay.md#needs).
 * `source[offset[n]]` to `source[offset[n + 1] - 1]` are the chunks of need n, oldest first.
 */
export type ReplayNeeds = {
  readonly count: number
  /** The call that wrote it; of a rule the last call, up to which it must be there. */
  readonly at: Int32Array
  readonly weight: Float32Array
  readonly kind: Uint8Array
  /** Number in `ReplaySpans`. */
  readonly span: Int32Array
  readonly offset: Int32Array
  readonly source: Int32Array
}

/**
 * The spans of a session, each once. First those that needs are of, then those that only take room in a digest: without
 * them a digest would keep just what is needed later, which nothing can know.
 * `holder[offset[s]]` to `holder[offset[s + 1] - 1]` are the chunks that hold span s, oldest first.
 */
export type ReplaySpans = {
  readonly count: number
  /** Of those that needs are of; the others need no text. */
  readonly texts: readonly string[]
  /** Number in `NEED_KINDS`. */
  readonly kind: Uint8Array
  readonly tokens: Int32Array
  readonly offset: Int32Array
  readonly holder: Int32Array
}

/**
 * Lines that a digest takes over word for word, in the order in which they came: what the user asked (at the length of a
 * first, a newest and an older message), rules of the user, decisions.
 * `span[offset[n]]` to `span[offset[n + 1] - 1]` are the spans, of those that needs are of, that line n holds.
 */
export type ReplayDigestLines = {
  readonly count: number
  /** Number in `DIGEST_LINES`. */
  readonly kind: Uint8Array
  /** The chunk that it is from; it never falls. */
  readonly chunk: Int32Array
  readonly tokens: Int32Array
  readonly offset: Int32Array
  readonly span: Int32Array
}

/**
 * How alike chunks are to what the user asked, as scorers by likeness see it. `chunk[offset[u]]` to
 * `chunk[offset[u + 1] - 1]` are those that are most alike to message u of the user (from 1, as `ReplayChunks.turn`
 * counts; 0 is before the first), in rising order. What is not there counts as not alike. Empty: likeness is unknown.
 */
export type ReplayLikeness = {
  readonly offset: Int32Array
  readonly chunk: Int32Array
  /** 0 … 255 for 0 … 1. */
  readonly value: Uint8Array
}

/** A compaction as it was recorded. */
export type ReplayCompaction = {
  /** It came before the call of this number. */
  readonly before: number
  /** The first chunk from which on all stayed word for word. */
  readonly firstKept: number
  /** Chunks before it that stayed as well, in rising order: Codex keeps what users said. */
  readonly kept: readonly number[]
  readonly summaryTokens: Tokens
  /** Spans that its summary holds word for word, by their numbers, in rising order. */
  readonly holds: readonly number[]
  /** Its content is unknown: a provider keeps it encrypted. */
  readonly encrypted: boolean
  /** Somebody asked for it. */
  readonly asked: boolean
}

/** Weights of needs that do not count, by why (lib/docs/replay.md#not-needs). */
export type ExcludedNeeds = {
  /** The summary itself said it first. */
  readonly quoted: number
  /** The runtime put it there again by itself. */
  readonly reread: number
  /** After an encrypted compaction. */
  readonly encrypted: number
  /** Only prompts had it that a runtime sends again and again, such as a heartbeat's. */
  readonly repeated: number
  /** No chunk that had it was in the recorded window, and no summary said it: the model had it from elsewhere. */
  readonly unseen: number
  /** The operator said that they are none. */
  readonly refused: number
}

/**
 * What was written once more after recorded compactions of what only dropped chunks had, by kind in the order of
 * `NEED_KINDS`: whether it had been shown again before says how often a match is a need (lib/docs/replay.md#precision).
 */
export type WrittenAgain = {
  readonly shown: readonly number[]
  readonly unseen: readonly number[]
}

/** How far a session's recorded use of the cache is reproduced from its own calls and times. */
export type CacheFit = {
  /** Calls whose cache read is reproduced within 5 %, of those that report one. */
  readonly matched: number
  readonly compared: number
  /**
   * What the prompts cost as reproduced, cold starts as cold, over what they cost as recorded; null: nothing to compare.
   */
  readonly money: number | null
  /** The same from calls and times alone, as if there had been no cold start. */
  readonly moneyByTimes: number | null
  /** Tokens written to the cache as recorded, over those reproduced: breaks that are no cold starts either. */
  readonly rewrites: number | null
  /** Calls, from 0, that read nothing from the cache for no reason in the record (lib/docs/replay.md#the-cache). */
  readonly coldStarts: readonly number[]
}

/** A session made ready for replay. What any policy does to it is worked out from this alone; texts stay in the store. */
export type ReplaySession = {
  readonly version: number
  readonly transcriptId: string
  readonly storeId: string
  readonly sessionId: string
  readonly runtime: Sender
  readonly agent: string | null
  /** Sessions of one owner are not taken apart when a tuner learns on some and is tested on others. */
  readonly owner: string
  readonly startedAt: Milliseconds | null
  /** Before the conversation, on every call: system prompt, tools. Tokens as the provider counts. */
  readonly fixed: Tokens
  /** Half of the reported prompts are nearer to our count than this, in percent; null: none was reported. */
  readonly sizeErrorPct: number | null
  readonly tools: readonly string[]
  readonly models: readonly { readonly provider: string | null; readonly model: string | null }[]
  readonly chunks: ReplayChunks
  readonly calls: ReplayCalls
  readonly needs: ReplayNeeds
  readonly spans: ReplaySpans
  readonly lines: ReplayDigestLines
  readonly likeness: ReplayLikeness
  /** How long what is written to the cache stays there, as its writes say, else as its provider keeps it. */
  readonly cacheLife: Milliseconds
  readonly compactions: readonly ReplayCompaction[]
  readonly excluded: ExcludedNeeds
  readonly writtenAgain: WrittenAgain
  /** Hashes of all its distinct spans, rising (`spanHash`): they say how common each is over sessions. */
  readonly spanHashes: Uint32Array
  readonly fit: CacheFit
  /** Entries of the path that were left out because there are too many. */
  readonly passedOver: number
}
