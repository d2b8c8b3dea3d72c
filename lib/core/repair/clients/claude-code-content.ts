import { isObject, type JsonObject, stringOf } from '../../transcript/json'
import type { FindingClass } from '../finding'
import type { JsonEdit } from '../json-edit'

/** What the client itself writes where there is nothing to say. */
const NO_CONTENT = '(no content)'

/** Calls and results of a line, and what is wrong with its content. */
export type ClaudeCodeContent = {
  readonly calls: readonly string[]
  readonly results: readonly string[]
  readonly flaws: readonly (readonly [found: FindingClass, fix: string])[]
  readonly edits: readonly JsonEdit[]
}

const SOUND: ClaudeCodeContent = { calls: [], results: [], flaws: [], edits: [] }

/** Looks at the content of a message. @param message null: the line has none */
export function claudeCodeContent(role: 'user' | 'assistant', message: JsonObject | null): ClaudeCodeContent {
  const blocks = [{ type: 'text', text: NO_CONTENT }]
  if (message === null) {
    const value = JSON.stringify({ role, content: blocks })
    return flawed('no-content', 'gets a message that says so', { set: ['message'], value })
  }
  const { content } = message
  const set = (value: unknown): JsonEdit => ({ set: ['message', 'content'], value: JSON.stringify(value) })
  if (typeof content === 'string') {
    if (/\S/.test(content)) return SOUND
    return flawed(role === 'user' ? 'blank-user' : 'no-content', 'says (no content)', set(NO_CONTENT))
  }
  if (!Array.isArray(content) || content.length === 0)
    return flawed('no-content', 'gets content that says so', set(blocks))
  return lookAt(role, content, set(blocks))
}

function flawed(found: FindingClass, fix: string, edit: JsonEdit): ClaudeCodeContent {
  return { ...SOUND, flaws: [[found, fix]], edits: [edit] }
}

function lookAt(
  role: 'user' | 'assistant',
  content: readonly unknown[],
  nothing: JsonEdit,
): ClaudeCodeContent {
  const calls: string[] = []
  const results: string[] = []
  const removed: number[] = []
  const flaws = new Map<FindingClass, string>()
  const drop = (found: FindingClass, fix: string, index: number) => {
    flaws.set(found, fix)
    removed.push(index)
  }
  for (const [index, block] of content.entries()) {
    if (!isObject(block) || stringOf(block.type) === undefined) {
      drop('broken-block', 'the block goes', index)
      continue
    }
    const { type, text, id, name, input, tool_use_id: answers } = block
    if (type === 'text' && role === 'user' && (typeof text !== 'string' || !/\S/.test(text)))
      drop('blank-user', 'the blank text goes; where nothing is left it says (no content)', index)
    else if (type === 'tool_use') {
      if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '' || !isObject(input))
        drop('incomplete-call', 'the call goes', index)
      else calls.push(id)
    } else if (type === 'tool_result' && typeof answers === 'string') results.push(answers)
  }
  const edits =
    removed.length === content.length
      ? [nothing]
      : removed.toReversed().map((index): JsonEdit => ({ remove: ['message', 'content', index] }))
  return { calls, results, flaws: [...flaws], edits }
}
