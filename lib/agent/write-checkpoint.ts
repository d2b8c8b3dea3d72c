import type { HistoryMessage } from '../core/history/message'
import {
  type Checkpoint,
  type CheckpointBody,
  checkpointText,
  readCheckpointBody,
} from '../core/memory/checkpoint'
import { digestCheckpoint } from '../core/memory/digest-checkpoint'
import type { Policy } from '../core/policy/policy'
import { digest, digestBudget } from '../core/summary/digest'
import type { MessageForm } from '../core/summary/message-form'
import { readReply } from '../core/summary/model-reply'
import { checkpointPrompt } from '../core/summary/prompts'
import { serializeMessages } from '../core/summary/serialize'
import { type CheckpointText, textOfCheckpoint } from '../engine/compaction/checkpoint-summary'
import { messageKey } from '../engine/knowledge/message-key'
import type { SummaryChain } from '../engine/summary/summary-chain'
import type { SummaryOptions } from '../engine/summary/write-summary'

/** What one request to a model takes of a conversation; a longer one is checkpointed without a model. Tokens. */
const MOST_TOKENS = 60_000

export type CheckpointOptions<M> = {
  readonly session: string
  readonly at: number
  readonly policy: Policy
  readonly form: MessageForm<M>
  readonly chain: SummaryChain | null
  /** The checkpoint that this one carries on. */
  readonly previous: Checkpoint | null
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  readonly signal?: AbortSignal
}

/** Notes the state of a conversation: by a model where there is one that answers, else by the digest. */
export async function writeCheckpoint<M extends HistoryMessage>(
  messages: readonly M[],
  options: CheckpointOptions<M>,
): Promise<{ readonly checkpoint: Checkpoint; readonly notes: readonly string[] }> {
  const { session, at, form, summary } = options
  const asked = await byModel(messages, options)
  const body = asked.body ?? byDigest(messages, options)
  const uptoSeq = messages.length - 1
  const last = messages[uptoSeq]
  const checkpoint = {
    id: `${at}-${uptoSeq}`,
    session,
    at,
    uptoEntryId: last === undefined ? '' : messageKey(form, last, uptoSeq),
    uptoSeq,
    covered: messages.reduce((sum, message) => sum + form.tokensOf(message), 0),
    tokens: summary.sizeOf(checkpointText(body)),
    body,
  }
  return { checkpoint, notes: asked.notes }
}

/** A checkpoint as the text that covers a conversation; null when it is about another one. */
export function coveringText<M extends HistoryMessage>(
  checkpoint: Checkpoint,
  messages: readonly M[],
  form: MessageForm<M>,
): CheckpointText | null {
  const { uptoSeq, uptoEntryId } = checkpoint
  const last = messages[uptoSeq]
  if (last === undefined || messageKey(form, last, uptoSeq) !== uptoEntryId) return null
  return { ...textOfCheckpoint(checkpoint), uptoSeq }
}

async function byModel<M extends HistoryMessage>(
  messages: readonly M[],
  { form, chain, policy, previous, summary, signal }: CheckpointOptions<M>,
): Promise<{ readonly body: CheckpointBody | null; readonly notes: readonly string[] }> {
  if (chain === null) return { body: null, notes: [] }
  const carried = previous === null ? null : coveringText(previous, messages, form)
  const from = carried === null ? 0 : carried.uptoSeq + 1
  const sources = messages.slice(from).flatMap((message, i) => form.toSource(message, from + i) ?? [])
  const text = serializeMessages(sources, summary.mask)
  if (summary.sizeOf(text) > MOST_TOKENS) return { body: null, notes: [] }
  const { maxTokens } = policy.summary.rolling
  const prompt = checkpointPrompt({ text, previous: carried?.text ?? null, maxTokens })
  const reply = await chain.ask({ prompt, maxTokens, signal }, policy)
  if (!reply.ok) return { body: null, notes: reply.notes }
  const read = readReply(reply.text)
  if (!read.ok) return { body: null, notes: [...reply.notes, `${reply.by}: ${read.message}`] }
  return { body: readCheckpointBody(read.summary), notes: reply.notes }
}

function byDigest<M extends HistoryMessage>(
  messages: readonly M[],
  { form, summary: { sizeOf, mask, isSecret } }: CheckpointOptions<M>,
): CheckpointBody {
  const sources = messages.flatMap((message, i) => form.toSource(message, i) ?? [])
  const earlier = sources.findLast(({ role }) => role === 'summary')
  const said = sources.filter((source) => source !== earlier)
  const budget = digestBudget(said.reduce((sum, { text }) => sum + sizeOf(text), 0))
  const previous = earlier === undefined ? {} : { previous: earlier.text }
  return digestCheckpoint(digest(said, { budget, sizeOf, mask, isSecret, ...previous }))
}
