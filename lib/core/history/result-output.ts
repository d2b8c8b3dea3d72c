import { hasResultFailed } from '../transcript/blocks'
import { isObject, type JsonObject } from '../transcript/json'
import type { ContentMessage } from './thinking'

/**
 * A result with other content, under whichever name it keeps it. One that takes neither a text nor blocks (a screen, the
 * tools that were found, an approval) stays as it is.
 */
export function withResultContent(block: JsonObject, content: unknown): JsonObject {
  const { type, output } = block
  if (type === 'tool-result') {
    if (!isObject(output)) return { ...block, result: content }
    const error = hasResultFailed(block) ? 'error-' : ''
    if (typeof content === 'string') return { ...block, output: { type: `${error}text`, value: content } }
    return { ...block, output: { type: Array.isArray(content) ? 'content' : `${error}json`, value: content } }
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return { ...block, output: Array.isArray(content) ? content.map(asInput) : content }
  if (type === 'shell_call_output') return { ...block, output: shellOutput(textOf(content), 0) }
  if (typeof output === 'string') return { ...block, output: textOf(content) }
  const isItem = block.role === undefined && typeof type === 'string' && !('content' in block)
  return isItem && type !== 'tool_result' ? block : { ...block, content }
}

/**
 * The item that says that a call has no result, in the type that follows from that of the call; null where no such item
 * can say it.
 */
export function missingOutput({ type }: JsonObject, id: string, text: string): ContentMessage | null {
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
      return { type: `${type}_output`, call_id: id, output: text }
    case 'shell_call':
      return { type: 'shell_call_output', call_id: id, output: shellOutput(text, 1) }
    case 'local_shell_call':
      return { type: 'local_shell_call_output', id, output: text }
    case 'apply_patch_call': {
      const failed: ContentMessage & { status: string } = {
        type: 'apply_patch_call_output',
        call_id: id,
        status: 'failed',
        output: text,
      }
      return failed
    }
    default:
      return null
  }
}

function shellOutput(text: string, exitCode: number): readonly JsonObject[] {
  return [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: exitCode } }]
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content
    .flatMap((block) => (isObject(block) && typeof block.text === 'string' ? block.text : []))
    .join('\n')
}

/** Texts in a list that Responses takes as output of a function have their own name there. */
function asInput(block: unknown): unknown {
  return isObject(block) && block.type === 'text' ? { ...block, type: 'input_text' } : block
}
