import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions'
import type { ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses'
import { PAGE, PIXEL, type TalkStep, type ToolStep } from './steps'

const IMAGE = `data:image/png;base64,${PIXEL}`
const FILE = `data:application/pdf;base64,${PAGE}`

type Ask = Extract<TalkStep, { kind: 'ask' }>
type Answer = Extract<TalkStep, { kind: 'answer' }>

/** A conversation as an agent of Chat Completions keeps it: calls beside a content that may be null. */
export function chatMessages(steps: readonly TalkStep[]): ChatCompletionMessageParam[] {
  return steps.flatMap((step) => (step.kind === 'ask' ? [chatAsk(step)] : chatAnswer(step)))
}

function chatAsk({ text, attachment }: Ask): ChatCompletionMessageParam {
  const own: ChatCompletionContentPart = { type: 'text', text }
  switch (attachment) {
    case 'image':
      return { role: 'user', content: [own, { type: 'image_url', image_url: { url: IMAGE } }] }
    case 'file':
      return { role: 'user', content: [own, { type: 'file', file: { filename: 'a.pdf', file_data: FILE } }] }
    case 'text-file':
      return { role: 'user', content: [own, { type: 'file', file: { file_id: 'file_1' } }] }
    default:
      return { role: 'user', content: text }
  }
}

function chatAnswer({ text, refuses, calls, aside }: Answer): ChatCompletionMessageParam[] {
  if (calls.length === 0)
    return [
      refuses ? { role: 'assistant', content: null, refusal: text } : { role: 'assistant', content: text },
    ]
  const made = calls.map(({ id, path }, at) =>
    at === 2
      ? ({ id, type: 'custom', custom: { name: 'note', input: path } } as const)
      : ({ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } } as const),
  )
  const results = calls.map(
    ({ id, answer }): ChatCompletionMessageParam => ({
      role: 'tool',
      tool_call_id: id,
      content: answer.kind === 'blocks' ? [{ type: 'text', text: answer.text }] : plainText(answer),
    }),
  )
  return [
    { role: 'assistant', content: text === '' ? null : text, tool_calls: made },
    ...results,
    ...(aside === '' ? [] : [{ role: 'user', content: aside } as const]),
  ]
}

function plainText({ kind, text }: ToolStep['answer']): string {
  if (kind === 'empty') return ''
  return kind === 'data' ? JSON.stringify({ said: text }) : text
}

/** A conversation as an agent of Responses keeps it: items, some of which the API gave and some of which it gets. */
export function responseItems(steps: readonly TalkStep[]): ResponseInputItem[] {
  return steps.flatMap((step, at) => (step.kind === 'ask' ? [itemAsk(step)] : itemAnswer(step, at)))
}

function itemAsk({ text, attachment, marked }: Ask): ResponseInputItem {
  const own: ResponseInputContent = { type: 'input_text', text }
  switch (attachment) {
    case 'image':
      return { role: 'user', content: [own, { type: 'input_image', image_url: IMAGE, detail: 'auto' }] }
    case 'file':
      return { role: 'user', content: [own, { type: 'input_file', filename: 'a.pdf', file_data: FILE }] }
    default:
      return marked ? { type: 'message', role: 'user', content: [own] } : { role: 'user', content: text }
  }
}

function itemAnswer(
  { text, thinking, server, refuses, calls, aside }: Answer,
  at: number,
): ResponseInputItem[] {
  const items: ResponseInputItem[] = []
  if (thinking !== 'none') {
    const summary = thinking === 'plain' ? [{ type: 'summary_text' as const, text: 'Let me see.' }] : []
    items.push({ type: 'reasoning', id: `rs_${at}`, summary, encrypted_content: 'b3BhcXVl' })
  }
  if (server)
    items.push({
      type: 'web_search_call',
      id: `ws_${at}`,
      status: 'completed',
      action: { type: 'search', query: 'tides' },
    })
  if (text !== '')
    items.push({
      type: 'message',
      id: `msg_${at}`,
      status: 'completed',
      role: 'assistant',
      content: refuses
        ? [{ type: 'refusal', refusal: text }]
        : [{ type: 'output_text', text, annotations: [] }],
    })
  const results: ResponseInputItem[] = []
  calls.forEach(({ id, path, answer }, place) => {
    const output =
      answer.kind === 'blocks' || answer.kind === 'picture'
        ? [
            { type: 'input_text' as const, text: answer.text },
            ...(answer.kind === 'picture'
              ? [{ type: 'input_image' as const, image_url: IMAGE, detail: 'auto' as const }]
              : []),
          ]
        : plainText(answer)
    if (place === 1) {
      items.push({ type: 'custom_tool_call', call_id: id, name: 'note', input: path })
      results.push({ type: 'custom_tool_call_output', call_id: id, output })
    } else if (place === 2) {
      const action = { commands: [`cat ${path}`] }
      items.push({ type: 'shell_call', id: `sh_${id}`, call_id: id, action, status: 'completed' })
      const outcome = { type: 'exit', exit_code: 0 } as const
      results.push({
        type: 'shell_call_output',
        call_id: id,
        output: [{ stdout: answer.text, stderr: '', outcome }],
      })
    } else {
      const args = JSON.stringify({ path })
      items.push({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'read', arguments: args })
      results.push({ type: 'function_call_output', call_id: id, output })
    }
  })
  const said: ResponseInputItem[] = aside === '' ? [] : [{ role: 'user', content: aside }]
  return [...items, ...results, ...said]
}
