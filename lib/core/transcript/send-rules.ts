import type { EntryFact } from './entry'

/** Why an entry of the context is not sent as its own message. */
export type Unsent =
  | 'transcript-only'
  | 'silent-reply'
  | 'failed-turn'
  | 'orphaned-result'
  | 'duplicate-result'
  | 'excluded'
  | 'empty'
  | 'unknown-role'
  /** Its text is sent, inside the assistant message before it. */
  | 'merged'

export type Verdict = { readonly sent: true } | { readonly sent: false; readonly why: Unsent }

/** A response in more records than any has is heeded so far. */
const MOST_OPEN = 256

/**
 * What must be remembered between one message of a context and the next. Plain JSON; the lists hold the calls of one
 * assistant message, so they stay short.
 */
export type SendState = {
  /** Calls of the last assistant message that made any, without an answer so far. */
  readonly open: readonly string[]
  /** Its calls that were answered. */
  readonly answered: readonly string[]
  /** The message sent last is an assistant's, and nothing is between it and the next. */
  readonly afterAssistant: boolean
  /** Results are sent whose call is nowhere: a provider's checkpoint holds it. */
  readonly keepsOrphans?: true
}

export const SEND_START: SendState = { open: [], answered: [], afterAssistant: false }

/**
 * Which runtime sends: OpenClaw drops and merges some messages that pi sends as they are; Claude Code and Codex write a
 * response in several records.
 */
export const SENDERS = ['openclaw', 'pi', 'claude-code', 'codex', 'opencode'] as const

export type Sender = (typeof SENDERS)[number]

/**
 * Whether a runtime writes each block of a response as a record, or what was used, of a request that is no call of the
 * session too, as a separate record.
 */
export function writesInRecords(sender: Sender): boolean {
  return sender === 'claude-code' || sender === 'codex' || sender === 'opencode'
}

/** Whether a runtime writes lines of a session once more, under their ids, when that is resumed. */
export function repeatsLines(sender: Sender): boolean {
  return sender === 'claude-code'
}

/**
 * Whether reasoning is sent as long as its turn lasts: Codex gives all of it back, and OpenAI leaves out what is before
 * the last message of a user.
 */
export function dropsReasoning(sender: Sender): boolean {
  return sender === 'codex'
}

export type SendStep = { readonly verdict: Verdict; readonly state: SendState }

const SENT: Verdict = { sent: true }
const USER_LIKE = new Set(['user', 'bashExecution', 'custom', 'branchSummary', 'compactionSummary'])

/**
 * Decides for the next entry of a context, in order, whether the runtime sends it to the model. The rules are those
 * that recorded requests of OpenClaw show (lib/docs/openclaw.md#context): rows for the reader only,
 * replies that consist of the silent token, failed turns with their results, and results that no call waits for are
 * left out; OpenClaw joins an assistant message to the one right before it.
 */
export function sendStep(state: SendState, fact: EntryFact, sender: Sender): SendStep {
  if (fact.role === 'assistant') return assistantStep(state, fact, sender)
  if (fact.role === 'toolResult') return resultStep(state, fact)
  if (fact.role === undefined || !USER_LIKE.has(fact.role)) return { verdict: unsent('unknown-role'), state }
  if (fact.excluded) return { verdict: unsent('excluded'), state }
  return { verdict: SENT, state: settled(state, false) }
}

function assistantStep(state: SendState, fact: EntryFact, sender: Sender): SendStep {
  if (fact.transcriptOnly) return { verdict: unsent('transcript-only'), state }
  if (fact.stopReason === 'error' || fact.stopReason === 'aborted') {
    // The results of a failed turn find no open call, and so stay behind with it.
    const answered = state.keepsOrphans ? callIds(fact) : []
    return { verdict: unsent('failed-turn'), state: { ...state, open: [], answered } }
  }
  if (fact.blank) return { verdict: unsent('empty'), state }
  if (fact.silent && sender === 'openclaw') return { verdict: unsent('silent-reply'), state }
  const calls = callIds(fact)
  if (fact.again && writesInRecords(sender)) {
    const open = [...state.open, ...calls.filter((id) => !state.open.includes(id))].slice(-MOST_OPEN)
    return { verdict: SENT, state: { ...state, open, afterAssistant: open.length === 0 } }
  }
  const merged = sender === 'openclaw' && state.afterAssistant
  const next: SendState =
    calls.length > 0 ? { ...state, open: calls, answered: [], afterAssistant: false } : settled(state, true)
  return { verdict: merged ? unsent('merged') : SENT, state: next }
}

/**
 * The first message of a context that begins with a provider's checkpoint, as `replayedOwner` gives it.
 * @param orphans whether results are sent whose calls the checkpoint covers
 */
export function replayStep(fact: EntryFact, orphans: boolean): SendStep {
  const open = callIds(fact)
  const saysMore = Object.keys(fact.units ?? {}).length > 1
  const state = { open, answered: [], afterAssistant: open.length === 0 && saysMore }
  return { verdict: SENT, state: orphans ? { ...state, keepsOrphans: true } : state }
}

function callIds({ calls }: EntryFact): readonly string[] {
  return calls?.map(({ id }) => id) ?? []
}

function resultStep(state: SendState, fact: EntryFact): SendStep {
  const id = fact.resultFor ?? ''
  const index = state.open.indexOf(id)
  if (index < 0) {
    if (state.keepsOrphans && !state.answered.includes(id))
      return { verdict: SENT, state: settled(state, false) }
    return { verdict: unsent(state.answered.includes(id) ? 'duplicate-result' : 'orphaned-result'), state }
  }
  return {
    verdict: SENT,
    state: {
      ...state,
      open: state.open.toSpliced(index, 1),
      answered: [...state.answered, id],
      afterAssistant: false,
    },
  }
}

/** The same calls, with an assistant's message sent last or not. */
function settled(state: SendState, afterAssistant: boolean): SendState {
  if (state.afterAssistant === afterAssistant) return state
  return { ...state, afterAssistant }
}

function unsent(why: Unsent): Verdict {
  return { sent: false, why }
}
