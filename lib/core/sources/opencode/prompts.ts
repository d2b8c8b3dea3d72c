import { type JsonObject, stringOf } from '../../transcript/json'
import { SAID, type TranslatedEntry } from '../../transcript/reading/translated'

/** Parts of a user's message that no model is given. Text files and folders are sent as separate texts. */
const UNSENT: ReadonlySet<string> = new Set([
  'agent',
  'snapshot',
  'patch',
  'step-start',
  'step-finish',
  'retry',
])
const SENT_AS_TEXT: ReadonlySet<string> = new Set(['text/plain', 'application/x-directory'])

/** What the client says in place of a command that the user ran as a sub-agent. */
const SUBTASK = 'The following tool was executed by the user'

/** What the client asks before a summary; the summary's record has it, since it is sent only with that. */
export const COMPACTION_PROMPT = 'What did we do so far?'

/** Entries of a message under the user's role: what the user said, and what the client put in. */
export function spokenEntries(parts: readonly JsonObject[]): TranslatedEntry[] {
  const said = parts.flatMap(saidBlock)
  const besides = parts.flatMap(besideEntry)
  if (said.length === 0 && besides.length > 0) return besides
  return [{ type: 'message', message: { role: 'user', content: said } }, ...besides]
}

function saidBlock(part: JsonObject): JsonObject[] {
  const { type, text, url, mime } = part
  if (type === 'text')
    return part.synthetic === true || part.ignored === true
      ? []
      : [{ type: 'text', text: stringOf(text) ?? '' }]
  if (type !== 'file' || SENT_AS_TEXT.has(stringOf(mime) ?? '')) return []
  return [fileBlock(url, mime)]
}

/** A file as a block: a picture, or another file. */
export function fileBlock(url: unknown, mime: unknown): JsonObject {
  const mediaType = stringOf(mime) ?? ''
  const address = stringOf(url) ?? ''
  return mediaType.startsWith('image/')
    ? { type: 'image', mimeType: mediaType, url: address }
    : { type: 'file', mediaType, url: address }
}

function besideEntry(part: JsonObject): TranslatedEntry[] {
  const type = stringOf(part.type) ?? '(none)'
  switch (type) {
    case 'text':
      if (part.ignored === true) return [{ type: 'custom', customType: 'opencode:ignored' }]
      return part.synthetic === true ? [put('synthetic', stringOf(part.text) ?? '')] : []
    case 'file':
      return []
    case 'subtask':
      return [put('subtask', SUBTASK)]
    case 'compaction':
      return [{ type: 'custom', customType: 'opencode:compaction' }]
    default:
      return UNSENT.has(type) ? [] : [{ type: `part ${type}`, appendMode: 'side' }]
  }
}

/** A text that the client put under the user's role. */
export function put(name: string, content: string): TranslatedEntry {
  return { type: 'custom_message', customType: `opencode:${name}`, content, [SAID]: { category: 'other' } }
}
