import type { EntryCategory } from '../../tokens/category'
import { blockKind, textOfBlock } from '../../transcript/blocks'
import { isObject, type JsonObject, stringOf } from '../../transcript/json'
import { SAID, type TranslatedEntry } from '../../transcript/reading/translated'

/** Texts that the client puts under the user's role, by how they begin. */
const INJECTED: readonly (readonly [RegExp, string, EntryCategory])[] = [
  [/^(?:# AGENTS\.md|<user_instructions>|<INSTRUCTIONS>)/, 'agents-md', 'bootstrap-file'],
  [/^<(?:skills|skill)\b/, 'skills', 'skills'],
  [/^<(?:environment_context|turn_aborted|permissions|subagent)/, 'environment', 'other'],
]

/** Entries of a response item: a message, a call, its output, what the model thought. */
export function itemEntries(item: JsonObject): TranslatedEntry[] {
  const type = stringOf(item.type) ?? '(none)'
  if (type === 'message') return messageEntries(item)
  if (type === 'agent_message')
    return [{ type: 'custom_message', customType: 'codex:agent', content: item.content }]
  if (type === 'compaction' || type === 'compaction_summary') return [encrypted()]
  const kind = blockKind(item)
  if (kind === 'result')
    return [{ type: 'message', message: { role: 'toolResult', toolCallId: item.call_id, ...outputOf(item) } }]
  if (kind === 'call' || kind === 'server' || kind === 'thinking')
    return [{ type: 'message', message: { role: 'assistant', content: [item] } }]
  return [type === 'ghost_snapshot' ? { type: 'custom', customType: 'codex:ghost_snapshot' } : { type }]
}

/** The summary of a compaction that the provider made: it is sent, and no one but the provider can read it. */
function encrypted(): TranslatedEntry {
  return {
    type: 'custom_message',
    customType: 'codex:compaction-encrypted',
    content: '',
    [SAID]: { category: 'summary' },
  }
}

function messageEntries({ role, content }: JsonObject): TranslatedEntry[] {
  if (role === 'assistant') return [{ type: 'message', message: { role, content } }]
  const blocks = Array.isArray(content) ? content : [content]
  if (role !== 'user')
    return blocks.map((block) => ({
      type: 'custom_message',
      customType: `codex:${stringOf(role) ?? 'message'}`,
      content: [block],
      [SAID]: { category: 'other' },
    }))
  const injected = blocks.map((block) => injectedEntry(block))
  if (injected.every((entry) => entry === null)) return [{ type: 'message', message: { role, content } }]
  return blocks.map((block, i) => injected[i] ?? { type: 'message', message: { role, content: [block] } })
}

function injectedEntry(block: unknown): TranslatedEntry | null {
  const text = textOfBlock(block)
  const found = INJECTED.find(([pattern]) => pattern.test(text))
  if (found === undefined) return null
  const [, name, category] = found
  return { type: 'custom_message', customType: `codex:${name}`, content: [block], [SAID]: { category } }
}

/** What a tool answered. Old releases wrapped it in JSON or in an object. */
function outputOf({ output }: JsonObject): JsonObject {
  if (!isObject(output)) return { content: output ?? '' }
  return { content: output.content ?? output.body ?? output, isError: output.success === false }
}
