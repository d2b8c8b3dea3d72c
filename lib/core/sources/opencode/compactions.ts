import { type JsonObject, stringOf } from '../../transcript/json'
import { SAID, type TranslatedEntry } from '../../transcript/reading/translated'
import { answerEntries } from './answers'
import { COMPACTION_PROMPT, put } from './prompts'
import { usageOf } from './usage'

/**
 * A summary, which OpenCode asks for in a request without the conversation's own system prompt: it is billed, and no
 * call of the session. What it replaces is left out of what is sent from here on, save for the messages from
 * `tail_start_id` on.
 * @param compaction the part that asked for it; null: it is not there
 */
export function summaryEntries(
  info: JsonObject,
  parts: readonly JsonObject[],
  compaction: JsonObject | null,
): TranslatedEntry[] {
  const hasFailed = info.error !== undefined && info.error !== null
  if (hasFailed || stringOf(info.finish) === undefined) {
    // What asked for it is sent all the same.
    return [put('compaction', COMPACTION_PROMPT), ...answerEntries(info, parts)]
  }
  const id = stringOf(info.id) ?? ''
  const tail = stringOf(compaction?.tail_start_id)
  const texts = parts.flatMap((part) => (part.type === 'text' ? (stringOf(part.text) ?? []) : []))
  return [
    {
      type: 'compaction',
      firstKeptEntryId: tail,
      details: { trigger: compaction?.auto === false ? 'manual' : 'auto' },
      [SAID]: { bare: true, ...(tail !== undefined && { keptAfter: `${id}#3` }) },
    },
    put('compaction', COMPACTION_PROMPT),
    { type: 'message', message: { role: 'compactionSummary', content: texts.join('\n') } },
    {
      type: 'usage',
      appendMode: 'side',
      responseId: `${id}/summary`,
      model: info.modelID,
      usage: usageOf(info),
    },
  ]
}
