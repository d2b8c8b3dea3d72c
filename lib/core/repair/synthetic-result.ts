import { DraftEntry } from './draft'
import { newId } from './new-id'

/**
 * What OpenClaw writes where a result is missing (lib/docs/openclaw.md#calls-and-results); known to its own later
 * repairs.
 */
export const MISSING_RESULT_TEXT =
  '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.'

/** The same for calls that were made through OpenAI's Responses API. */
const ABORTED_RESULT_TEXT = 'aborted'

/** Time for a result of a call that bears none: transcripts name times as texts and as numbers, never as nothing. */
const EPOCH = 0

const NOWHERE = { bytes: 0, ordinal: -1 }

/** A failed result for a call without a result, as an entry that is behind `anchor`. */
export function makeMissingResult(
  taken: ReadonlySet<string>,
  call: { readonly id: string; readonly name: string; readonly by: DraftEntry },
  linear: boolean,
): DraftEntry {
  const at = call.by.at ?? EPOCH
  const text = call.by.api?.endsWith('responses') ? ABORTED_RESULT_TEXT : MISSING_RESULT_TEXT
  const id = linear ? null : newId(`${call.by.id}:${call.id}`, taken, 'repair-')
  const made = {
    type: 'message',
    ...(id === null ? {} : { id, parentId: call.by.id }),
    timestamp: new Date(at).toISOString(),
    message: {
      role: 'toolResult',
      toolCallId: call.id,
      toolName: call.name === '' ? 'unknown' : call.name,
      content: [{ type: 'text', text }],
      details: { openclawSyntheticMissingToolResult: true, reason: 'missing_tool_result' },
      isError: true,
      timestamp: at,
    },
  }
  const entry = new DraftEntry('message', { line: call.by.line }, NOWHERE, JSON.stringify(made))
  entry.id = id
  entry.parentId = call.by.id
  entry.stamp = at
  entry.role = 'toolResult'
  entry.resultFor = call.id
  entry.toolName = made.message.toolName
  entry.synthetic = true
  return entry
}
