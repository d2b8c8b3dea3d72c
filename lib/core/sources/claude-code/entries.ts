import type { EntryCategory } from '../../tokens/category'
import { isObject, type JsonObject, numberOf, stringOf } from '../../transcript/json'
import {
  type LineContext,
  SAID,
  type Said,
  type Translate,
  type TranslatedEntry,
} from '../../transcript/reading/translated'
import { attachmentEntry } from './attachments'
import { inChain } from './chain'
import { agentUsageEntry, assistantEntry } from './responses'
import { todoReminder } from './todo-reminder'

/** Kinds of lines without a place in the tree that hold nothing of the conversation (lib/docs/claude-code-and-codex.md#claude-code). */
const ASIDE: ReadonlySet<string> = new Set([
  'agent-name',
  'api-request',
  'api-request-blob',
  'atis-latch',
  'bridge-session',
  'cost-state',
  'file-history-snapshot',
  'frame-link',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'queue-operation',
  'relocated',
  'result',
  'started',
  'tag',
  'tools-used',
  'worktree-state',
])

/** Kinds of lines that name the session. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['summary', 'summary'],
  ['custom-title', 'customTitle'],
  ['ai-title', 'aiTitle'],
])

/** Texts that the client puts under the user's role for its own commands. */
const CLIENT_TEXT = /^<(?:command-name|command-message|local-command-|bash-input|bash-std|task-notification)/

/** Entries of one line of a Claude Code transcript (lib/docs/claude-code-and-codex.md#claude-code). */
export const claudeCodeEntries: Translate = (line, context) => {
  const entries = entriesOf(line, context)
  if (context.first) return [header(line, context), ...entries]
  const [first, ...rest] = entries
  // The folder that it works in may be named on a later line than the first one.
  const { cwd } = line
  if (first === undefined || line.parentUuid !== null || typeof cwd !== 'string') return entries
  return [{ ...first, [SAID]: { ...first[SAID], cwd } }, ...rest]
}

function entriesOf(line: JsonObject, context: LineContext): readonly TranslatedEntry[] {
  const type = stringOf(line.type) ?? ''
  const named = NAMES.get(type)
  if (named !== undefined) return [{ type: 'session_info', name: line[named], appendMode: 'side' }]
  if (type === 'api-request-shape') return [shapeEntry(line)]
  if (ASIDE.has(type)) return []
  // Lines of a sub-agent in the file of its parent: they are no part of the parent's window.
  if (line.isSidechain === true && !context.ofAgent)
    return [type === 'assistant' ? agentUsageEntry(line) : aside(line, 'claude-code:sidechain')]
  switch (type) {
    case 'user':
      return userEntries(line)
    case 'assistant':
      return [assistantEntry(line)]
    case 'attachment':
      return [attachmentEntry(line)]
    case 'system':
      return [systemEntry(line)]
    default:
      return stringOf(line.uuid) === undefined
        ? [{ type, appendMode: 'side' }]
        : [aside(line, `claude-code:${type}`)]
  }
}

/** The lines of a sub-agent name the session that it works for. */
function header(line: JsonObject, { ofAgent }: LineContext): TranslatedEntry {
  const { sessionId, cwd, timestamp } = line
  const agentOf = ofAgent ? stringOf(sessionId) : undefined
  const said: Said = { joins: true, ...(agentOf !== undefined && { agentOf }) }
  return { type: 'session', version: 3, id: sessionId, cwd, timestamp, [SAID]: said }
}

/** A line with a place in the tree that no model is shown. */
function aside(line: JsonObject, customType: string): TranslatedEntry {
  const isOff = line.isSidechain === true || stringOf(line.uuid) === undefined
  return { ...inChain(line), type: 'custom', customType, ...(isOff && { appendMode: 'side' }) }
}

function systemEntry(line: JsonObject): TranslatedEntry {
  const subtype = stringOf(line.subtype) ?? 'system'
  if (subtype === 'compact_boundary') return boundaryEntry(line)
  // What a command of the client printed is shown to the model.
  if (subtype === 'local_command' && stringOf(line.content) !== undefined)
    return {
      ...inChain(line),
      type: 'custom_message',
      customType: 'claude-code:command',
      content: line.content,
    }
  return aside(line, `claude-code:${subtype}`)
}

/** A compaction; its summary is the next line. `preTokens` is what was in the window, in tokens. */
function boundaryEntry(line: JsonObject): TranslatedEntry {
  const data = isObject(line.compactMetadata) ? line.compactMetadata : {}
  const kept = isObject(data.preservedSegment) ? data.preservedSegment : {}
  const said: Said = {
    bare: true,
    ...(data.trigger === 'manual' && { asked: true as const }),
    ...(stringOf(kept.tailUuid) !== undefined && { keptUpTo: stringOf(kept.tailUuid) }),
    ...(stringOf(kept.anchorUuid) !== undefined && { keptAfter: stringOf(kept.anchorUuid) }),
  }
  return {
    ...inChain(line),
    // The chain is cut here; what it followed is named beside it.
    parentId: line.parentUuid ?? line.logicalParentUuid ?? null,
    type: 'compaction',
    firstKeptEntryId: kept.headUuid,
    tokensBefore: numberOf(data.preTokens),
    details: { trigger: data.trigger },
    [SAID]: said,
  }
}

/** System prompt and tools from here on, with their texts. */
function shapeEntry(line: JsonObject): TranslatedEntry {
  const shape = isObject(line.shape) ? line.shape : {}
  const text = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))
  const system = Array.isArray(shape.system) ? shape.system.map(textOf).join('\n') : textOf(shape.system)
  const fixed = { system, tools: text(shape.tools) }
  return {
    type: 'custom',
    customType: 'claude-code:api-request-shape',
    appendMode: 'side',
    [SAID]: { fixed },
  }
}

function textOf(block: unknown): string {
  if (typeof block === 'string') return block
  return isObject(block) ? (stringOf(block.text) ?? '') : ''
}

/** What came under the user's role: words of the user, results of tools, notices of the client, a summary. */
function userEntries(line: JsonObject): TranslatedEntry[] {
  const message = isObject(line.message) ? line.message : {}
  const { content } = message
  const blocks = Array.isArray(content) ? content : null
  const results = blocks?.filter(isResult) ?? []
  if (results.length === 0) return [spokenEntry(line, content)]
  const rest = blocks?.filter((block) => !isResult(block)) ?? []
  const messages = results.map(resultMessage)
  const entries = messages.map(
    (result): TranslatedEntry => ({ ...inChain(line), type: 'message', message: result }),
  )
  const reminder = todoReminder(line)
  const [first] = entries
  if (reminder !== null && first !== undefined) entries[0] = { ...first, [SAID]: { sentAlong: reminder } }
  if (rest.length > 0) entries.push(spokenEntry(line, rest))
  return inRow(entries, line)
}

/** The entries of one line, one after another; the last one has the line's id, which later lines name. */
function inRow(entries: readonly TranslatedEntry[], line: JsonObject): TranslatedEntry[] {
  const { id, parentId } = inChain(line)
  const idAt = (i: number) => (i === entries.length - 1 ? id : `${id}#${i + 1}`)
  return entries.map((entry, i) => ({ ...entry, id: idAt(i), parentId: i === 0 ? parentId : idAt(i - 1) }))
}

function isResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'tool_result'
}

function resultMessage({ tool_use_id: toolCallId, content, is_error: isError }: JsonObject): JsonObject {
  return { role: 'toolResult', toolCallId, content: content ?? '', isError: isError === true }
}

function spokenEntry(line: JsonObject, content: unknown): TranslatedEntry {
  const chain = inChain(line)
  if (line.isCompactSummary === true)
    return { ...chain, type: 'message', message: { role: 'compactionSummary', content } }
  // Marks of the client alone, or of its commands: sent, but not said by the user.
  if (line.isMeta === true || CLIENT_TEXT.test(firstText(content))) {
    const category: EntryCategory = 'other'
    const customType = line.isMeta === true ? 'claude-code:notice' : 'claude-code:command'
    return { ...chain, type: 'custom_message', customType, content, [SAID]: { category } }
  }
  const said: Said = line.isVisibleInTranscriptOnly === true ? { transcriptOnly: true } : {}
  return { ...chain, type: 'message', message: { role: 'user', content }, [SAID]: said }
}

function firstText(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? textOf(content[0]) : ''
}
