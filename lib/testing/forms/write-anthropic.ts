import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { PAGE, PIXEL, type TalkStep, type ToolStep } from './steps'

const MARK = { cache_control: { type: 'ephemeral' } } as const

/** A conversation as an agent of Anthropic Messages keeps it: several results in one message, what is said behind them. */
export function anthropicMessages(steps: readonly TalkStep[]): MessageParam[] {
  return steps.flatMap((step, at): MessageParam[] => {
    if (step.kind === 'ask') return [{ role: 'user', content: askOf(step) }]
    const { calls, aside } = step
    const answer: MessageParam = { role: 'assistant', content: answerOf(step, at) }
    if (calls.length === 0) return [answer]
    const said: ContentBlockParam[] = aside === '' ? [] : [{ type: 'text', text: aside }]
    return [answer, { role: 'user', content: [...calls.map(resultOf), ...said] }]
  })
}

function askOf({ text, attachment, marked }: Extract<TalkStep, { kind: 'ask' }>): MessageParam['content'] {
  const own: ContentBlockParam = { type: 'text', text, ...(marked ? MARK : {}) }
  switch (attachment) {
    case 'image':
      return [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }, own]
    case 'file':
      return [
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PAGE } },
        own,
      ]
    case 'text-file':
      return [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } }, own]
    default:
      return marked ? [own] : text
  }
}

function answerOf(step: Extract<TalkStep, { kind: 'answer' }>, at: number): ContentBlockParam[] {
  const { text, thinking, server, calls } = step
  const blocks: ContentBlockParam[] = []
  if (thinking === 'plain') blocks.push({ type: 'thinking', thinking: 'Let me see.', signature: 'c2lnbmVk' })
  if (thinking === 'redacted') blocks.push({ type: 'redacted_thinking', data: 'b3BhcXVl' })
  if (server) {
    const id = `srvtoolu_${at}`
    blocks.push({ type: 'server_tool_use', id, name: 'web_search', input: { query: 'tide table' } })
    const found = {
      type: 'web_search_result',
      title: 'Tides',
      url: 'https://t.example',
      encrypted_content: 'eA==',
    }
    blocks.push({
      type: 'web_search_tool_result',
      tool_use_id: id,
      content: [{ ...found, type: 'web_search_result' }],
    })
  }
  if (text !== '') blocks.push({ type: 'text', text })
  for (const { id, path } of calls) blocks.push({ type: 'tool_use', id, name: 'read', input: { path } })
  return blocks
}

function resultOf({ id, answer: { kind, text } }: ToolStep): ToolResultBlockParam {
  const block: ToolResultBlockParam = { type: 'tool_result', tool_use_id: id }
  switch (kind) {
    case 'blocks':
      return { ...block, content: [{ type: 'text', text }], ...MARK }
    case 'picture':
      return {
        ...block,
        content: [
          { type: 'text', text },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
        ],
      }
    case 'error':
      return { ...block, content: text, is_error: true }
    case 'empty':
      return block
    default:
      return { ...block, content: kind === 'data' ? JSON.stringify({ said: text }) : text }
  }
}
