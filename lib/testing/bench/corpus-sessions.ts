import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SourceMessage, sourceMessage } from '../../core/summary/source-message'
import { isObject, type JsonObject, stringOf } from '../../core/transcript/json'

/** A real session of some length: whose it is, what it is called, and its messages in order. */
export type CorpusSession = {
  readonly owner: string
  readonly name: string
  readonly messages: readonly SourceMessage[]
}

const CLAUDE = 'claude-code/d-kimuson+claude-code-viewer/mock-global-claude-dir/projects/sample-project'
const SNIFFLY = 'claude-code/chiphuyen+sniffly/tests/mock-data/-Users-chip-dev-ai-music'
const CODEX = 'codex/Prometheus-AGS+prometheus-parking-lot-rs/.codex/sessions/2025/12/06'

/** Sessions of the corpus that a real model worked in, and long enough for something to be needed again. */
const FILES: readonly (readonly [owner: string, path: string, (entry: JsonObject) => JsonObject])[] = [
  ['pi-mono', 'pi/large-session.jsonl', (entry) => entry],
  ['d-kimuson', `${CLAUDE}/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl`, fromClaude],
  ['d-kimuson', `${CLAUDE}/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl`, fromClaude],
  ['chiphuyen', `${SNIFFLY}/d3ad4cdc-5657-435d-98fa-0035d53e383d.jsonl`, fromClaude],
  ['chiphuyen', `${SNIFFLY}/ba79134d-b6e9-4867-af0c-6941038c9e4b.jsonl`, fromClaude],
  [
    'Prometheus-AGS',
    `${CODEX}/rollout-2025-12-06T15-11-37-019af581-86ce-7d23-b9c6-0f99353d36af.jsonl`,
    fromCodex,
  ],
]

/** Shorter conversations say nothing about what is needed later. */
const LEAST_MESSAGES = 30

/** The real conversations of the corpus in this folder, as far as summaries read them; those of sub-agents by themselves. */
export function corpusSessions(corpus: string): CorpusSession[] {
  return FILES.flatMap(([owner, path, convert], file) => {
    const threads = new Map<string, SourceMessage[]>()
    const threadOf = new Map<unknown, string>()
    for (const [i, line] of readFileSync(join(corpus, path), 'utf8').split('\n').entries()) {
      const entry: unknown = line === '' ? null : JSON.parse(line)
      if (!isObject(entry)) continue
      const thread = entry.isSidechain === true ? (threadOf.get(entry.parentUuid) ?? `sub-agent ${i}`) : ''
      threadOf.set(entry.uuid, thread)
      const message = sourceMessage(convert(entry), { entryId: `${i}`, line: i + 1 })
      if (message === null) continue
      const messages = threads.get(thread)
      if (messages === undefined) threads.set(thread, [message])
      else messages.push(message)
    }
    return [...threads]
      .filter(([, messages]) => messages.length >= LEAST_MESSAGES)
      .map(([thread, messages]) => ({ owner, name: `${file + 1} ${thread}`.trimEnd(), messages }))
  })
}

/** A line of Claude Code: results of tools are in the content of user messages. */
function fromClaude(entry: JsonObject): JsonObject {
  const { message } = entry
  if (!isObject(message)) return entry
  const { content } = message
  const result = Array.isArray(content)
    ? content.find((block) => isObject(block) && block.type === 'tool_result')
    : null
  if (!isObject(result)) return { type: 'message', message }
  return {
    type: 'message',
    message: { role: 'toolResult', toolCallId: result.tool_use_id, content: result.content },
  }
}

/** A line of Codex: calls and results are separate items. */
function fromCodex(entry: JsonObject): JsonObject {
  const { payload } = entry
  if (entry.type !== 'response_item' || !isObject(payload)) return {}
  const { type, role, content, call_id: id } = payload
  const message = (one: JsonObject): JsonObject => ({ type: 'message', message: one })
  if (type === 'message' && Array.isArray(content)) {
    const text = content.map((part) => (isObject(part) ? (stringOf(part.text) ?? '') : '')).join('\n')
    return message({ role, content: text })
  }
  if (type === 'function_call' || type === 'custom_tool_call') {
    const input = payload.arguments ?? payload.input
    return message({ role: 'assistant', content: [{ type: 'toolCall', id, name: payload.name, input }] })
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return message({ role: 'toolResult', toolCallId: id, content: stringOf(payload.output) ?? '' })
  return {}
}
