import type { EntryUnits } from '../tokens/category'
import type { Bytes, Usd } from '../units/units'
import type { TextMarks } from './marks/text-marks'
import type { ProviderCheckpoint } from './provider-checkpoint'

/**
 * The canonical entry types of pi and OpenClaw transcripts, plus two of our own: `unknown` (well-formed JSON of a type
 * that we do not know: kept, never sent to a model) and `unreadable` (not JSON, or not an object: kept with its
 * reason).
 */
export const ENTRY_TYPES = [
  'session',
  'message',
  'thinking_level_change',
  'model_change',
  'compaction',
  'reset',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
  'leaf',
  'usage',
  'unknown',
  'unreadable',
] as const

export type EntryType = (typeof ENTRY_TYPES)[number]

/** Message roles as transcripts spell them; a role that we do not know is kept as it is. */
export type Role =
  | 'user'
  | 'assistant'
  | 'toolResult'
  | 'bashExecution'
  | 'custom'
  | 'branchSummary'
  | 'compactionSummary'
  | (string & {})

/** Estimator units of what is before the conversation, where a transcript holds its texts. */
export type FixedUnits = { readonly system: number; readonly tools: number }

/** Token usage of one model request as its provider reported it. All in tokens; `costUsd` in US dollars. */
export type Usage = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** What of `cacheWrite` stays for an hour, where the provider says so; it costs more. */
  readonly cacheWrite1h?: number
  /** What of `output` is reasoning, where the provider says so. */
  readonly reasoning?: number
  /** `output` is that of an answer which was not finished when it was written down: no size of anything. */
  readonly outputUnsure?: true
  /** null when the transcript carries no cost, or only zeros. */
  readonly costUsd: Usd | null
}

export type ToolCallRef = { readonly id: string; readonly name: string }

/**
 * What we need to know of one transcript entry without its content: enough for the tree, for the context of every
 * call, for frames and for lists. Content stays in the file; `offset` and `bytes` lead back to it.
 */
export type EntryFact = {
  /** Ordinal of the entry in its transcript, from 0 (the header). Blank lines do not count. */
  readonly seq: number
  /** 1-based line number in the file; for SQLite stores `seq + 1` of the row. */
  readonly line: number
  /** Byte offset of the line in the file (0 for SQLite rows) and its length in bytes without the newline. */
  readonly offset: number
  readonly bytes: Bytes
  /** Which entry of its line it is, where a line holds several: from 1 for the second one. */
  readonly piece?: number
  readonly type: EntryType
  /** The type as written, when `type` is `unknown`. */
  readonly rawType?: string
  /** Entry id; null for unreadable entries and the header. Version 1 transcripts get `#<seq>`. */
  readonly id: string | null
  readonly parentId: string | null
  /** `appendMode: "side"`: does not move the leaf. */
  readonly side?: true
  /** Milliseconds since the epoch, or null. */
  readonly at: number | null
  readonly role?: Role
  /** Estimator units by category; absent for entries that never enter a context. */
  readonly units?: EntryUnits
  readonly images?: number
  /** Tool calls made by this assistant message, in order. */
  readonly calls?: readonly ToolCallRef[]
  /** Tokens that the runtime's own compaction charges for it; only of a reading that was asked for sizes. */
  readonly size?: number
  /** Its writer, or its runtime, marked it as important; of such a reading as well. */
  readonly important?: true
  /** The call this result answers. */
  readonly resultFor?: string
  readonly toolName?: string
  readonly isError?: true
  readonly provider?: string
  readonly model?: string
  readonly api?: string
  readonly stopReason?: string
  readonly errorMessage?: string
  /** The provider's id of the response; two entries with the same one are one request, streamed twice. */
  readonly requestId?: string
  /** One more record of the response that the call before it was counted for. */
  readonly again?: true
  /** It is in contexts, and was counted already: with an earlier entry of the same request, result or id. */
  readonly copied?: true
  /** Provider-reported usage; null when absent or all zero (it is then unknown, not nothing). */
  readonly usage?: Usage | null
  /** Compaction: the first kept entry. Version 1 gives an index into the entries instead. */
  readonly firstKeptEntryId?: string
  readonly firstKeptIndex?: number
  readonly tokensBefore?: number
  readonly tokensAfter?: number
  /** The last kept entry, where those after it are not kept; and the one behind which the kept ones are sent. */
  readonly keptUpTo?: string
  readonly keptAfter?: string
  /** Compaction that is no message itself: its summary, if it has one, is an entry behind it. */
  readonly bare?: true
  /** Compaction that the user asked for, as the transcript itself says. */
  readonly asked?: true
  /** Compaction made by an extension or a safeguard, not by the runtime's default. */
  readonly fromHook?: true
  /** Compaction made with Plimsoll. */
  readonly ours?: true
  /**
   * `leaf`: where the leaf moves (null = before everything). `label`: what is labelled. `branch_summary`: the branch
   * left.
   */
  readonly targetId?: string | null
  readonly customType?: string
  /** bashExecution that the operator kept out of the context. */
  readonly excluded?: true
  /**
   * Written by the runtime for the reader only; no model was asked and none sees it (`delivery-mirror`,
   * `gateway-injected`).
   */
  readonly transcriptOnly?: true
  /** An answer that the client wrote in place of the model: it is sent, and no call was made. */
  readonly clientWritten?: true
  /** Sizes of the part before the conversation from here on, where the transcript holds its texts. */
  readonly fixed?: FixedUnits
  /** The folder that is worked in, where an entry says so that is no header. */
  readonly cwd?: string
  /** The model's window from here on, as the client takes it. Tokens. */
  readonly window?: number
  /** `usage`: tokens that were billed to the session up to here; the same again is the same report. */
  readonly billed?: number
  /** An assistant reply that consists of the silent token only; it is left out when history is sent. */
  readonly silent?: true
  /** An assistant message or a summary without any content. */
  readonly blank?: true
  /** What its provider left on an assistant message when it compacted the conversation itself. */
  readonly checkpoint?: ProviderCheckpoint
  /** First characters of the content, one line, for lists. */
  readonly preview?: string
  /** Fingerprints of its texts, of a reading that was asked for them. `SignFold` takes them away: they are kept nowhere. */
  marks?: TextMarks | undefined
  /** Why the entry is unreadable, or what is odd about it. */
  readonly problem?: string
  /** Header only. */
  readonly header?: {
    readonly version: number
    readonly sessionId: string
    readonly cwd?: string
    readonly parentSession?: string
    /** The session that this one works for, as its sub-agent: the runtime's own id of it. */
    readonly agentOf?: string
    /** Records of one response are one branch, whichever of them is named as a parent. */
    readonly joins?: true
  }
}
