import type { EntryCategory } from '../../tokens/category'
import { isObject, type JsonObject, stringOf } from '../../transcript/json'
import { SAID, type TranslatedEntry } from '../../transcript/reading/translated'
import { inChain } from './chain'

/** What the texts that the client injects count as; what is not named is `other`. */
const CATEGORIES: ReadonlyMap<string, EntryCategory> = new Map<string, EntryCategory>([
  ['skill_listing', 'skills'],
  ['skill', 'skills'],
  ['invoked_skills', 'skills'],
  ['instructions', 'bootstrap-file'],
  ['nested_memory', 'bootstrap-file'],
  ['ultramemory', 'recalled'],
  ['relevant_memories', 'recalled'],
  ['file', 'tool-result'],
  ['edited_text_file', 'tool-result'],
])

/** Attachments that hold texts for other purposes than to be shown to the model. */
const NOT_SENT: ReadonlySet<string> = new Set(['prompt_snapshot', 'session_context', 'hook_success'])

/**
 * What the client injected into the conversation. From 2.1.330 on it is written as it was sent; before, by its parts.
 */
export function attachmentEntry(line: JsonObject): TranslatedEntry {
  const attachment = isObject(line.attachment) ? line.attachment : {}
  const kind = stringOf(attachment.type) ?? 'attachment'
  const customType = `claude-code:${kind}`
  const content = sentOf(line, attachment, kind)
  if (content === null) return { ...inChain(line), type: 'custom', customType }
  const category = CATEGORIES.get(kind) ?? 'other'
  return { ...inChain(line), type: 'custom_message', customType, content, [SAID]: { category } }
}

/** The text or blocks that were sent; null: none. */
function sentOf(line: JsonObject, attachment: JsonObject, kind: string): unknown {
  if (Array.isArray(line.rendered)) {
    const blocks = line.rendered.flatMap((one: unknown) => (isObject(one) ? blocksOf(one.content) : []))
    return blocks.length > 0 ? blocks : null
  }
  if (NOT_SENT.has(kind)) return null
  const { content, addedLines, snippet, prompt } = attachment
  const lines = Array.isArray(addedLines) ? addedLines.filter((text) => typeof text === 'string') : []
  return (
    plainText(content) ??
    stringOf(snippet) ??
    stringOf(prompt) ??
    (lines.length > 0 ? lines.join('\n') : null)
  )
}

function blocksOf(content: unknown): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

/** A text, or one that lies within (`{file: {content}}`), or a list of blocks as it is. */
function plainText(content: unknown): unknown {
  if (Array.isArray(content)) return content.length > 0 ? content : undefined
  if (!isObject(content)) return stringOf(content)
  return isObject(content.file) ? stringOf(content.file.content) : stringOf(content.content)
}
