import type { AssistantContent, ModelMessage, ToolResultPart, UIMessage } from 'ai'
import { PAGE, PIXEL, type TalkStep, type ToolStep } from './steps'

type Ask = Extract<TalkStep, { kind: 'ask' }>
type Answer = Extract<TalkStep, { kind: 'answer' }>
type Parts = Exclude<AssistantContent, string>

/** A conversation as an agent of the AI SDK keeps it for its model. */
export function modelMessages(steps: readonly TalkStep[]): ModelMessage[] {
  return steps.flatMap((step, at) => (step.kind === 'ask' ? [modelAsk(step)] : modelAnswer(step, at)))
}

function modelAsk({ text, attachment, marked }: Ask): ModelMessage {
  const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const own = { type: 'text' as const, text, ...(marked ? { providerOptions: cache } : {}) }
  switch (attachment) {
    case 'image':
      return { role: 'user', content: [own, { type: 'file', data: PIXEL, mediaType: 'image/png' }] }
    case 'file':
      return { role: 'user', content: [own, { type: 'file', data: PAGE, mediaType: 'application/pdf' }] }
    case 'text-file':
      return {
        role: 'user',
        content: [own, { type: 'file', data: { type: 'text', text }, mediaType: 'text/plain' }],
      }
    default:
      return marked ? { role: 'user', content: [own] } : { role: 'user', content: text }
  }
}

function modelAnswer({ text, thinking, server, calls, aside }: Answer, at: number): ModelMessage[] {
  const parts: Parts = []
  if (thinking !== 'none')
    parts.push({
      type: 'reasoning',
      text: thinking === 'plain' ? 'Let me see.' : '',
      providerOptions: { anthropic: { signature: 'c2lnbmVk' } },
    })
  if (server) {
    const toolCallId = `srv_${at}`
    const call = { toolCallId, toolName: 'web_search' }
    parts.push({ type: 'tool-call', ...call, input: { query: 'tides' }, providerExecuted: true })
    parts.push({ type: 'tool-result', ...call, output: { type: 'json', value: [{ title: 'Tides' }] } })
  }
  if (text !== '') parts.push({ type: 'text', text })
  for (const { id, path } of calls)
    parts.push({ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path } })
  const isBare = parts.length === 1 && parts[0]?.type === 'text'
  const answer: ModelMessage = { role: 'assistant', content: isBare ? text : parts }
  if (calls.length === 0) return [answer]
  const said: ModelMessage[] = aside === '' ? [] : [{ role: 'user', content: aside }]
  return [answer, { role: 'tool', content: calls.map(modelResult) }, ...said]
}

function modelResult({ id, answer }: ToolStep): ToolResultPart {
  return { type: 'tool-result', toolCallId: id, toolName: 'read', output: outputOf(answer) }
}

function outputOf({ kind, text }: ToolStep['answer']): ToolResultPart['output'] {
  switch (kind) {
    case 'blocks':
      return { type: 'content', value: [{ type: 'text', text }] }
    case 'picture':
      return {
        type: 'content',
        value: [
          { type: 'text', text },
          { type: 'file', data: { type: 'data', data: PIXEL }, mediaType: 'image/png' },
        ],
      }
    case 'data':
      return { type: 'json', value: [{ said: text }, 3] }
    case 'error':
      return { type: 'error-text', value: text }
    default:
      return { type: 'text', value: kind === 'empty' ? '' : text }
  }
}

/** A conversation as a chat of the AI SDK keeps it: one message a turn, call and result in one part. */
export function uiMessages(steps: readonly TalkStep[]): UIMessage[] {
  const messages: UIMessage[] = []
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'ask') {
      messages.push({ id: `u${at}`, role: 'user', metadata: { at }, parts: uiAsk(step) })
      continue
    }
    const last = messages.at(-1)
    const parts = uiAnswer(step, at)
    if (last?.role === 'assistant') last.parts.push(...parts)
    else messages.push({ id: `a${at}`, role: 'assistant', parts })
    if (step.aside !== '')
      messages.push({ id: `s${at}`, role: 'user', parts: [{ type: 'text', text: step.aside }] })
  }
  return messages
}

function uiAsk({ text, attachment, marked }: Ask): UIMessage['parts'] {
  const own = { type: 'text' as const, text }
  const noted = marked ? [{ type: 'data-berth' as const, data: { berth: 4 } }] : []
  if (attachment === 'image')
    return [own, { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PIXEL}` }, ...noted]
  if (attachment === 'file')
    return [own, { type: 'file', mediaType: 'application/pdf', url: `data:application/pdf;base64,${PAGE}` }]
  return [own, ...noted]
}

function uiAnswer({ text, thinking, server, calls }: Answer, at: number): UIMessage['parts'] {
  const parts: UIMessage['parts'] = [{ type: 'step-start' }]
  if (thinking !== 'none') parts.push({ type: 'reasoning', text: 'Let me see.', state: 'done' })
  if (server) {
    const call = { toolCallId: `srv_${at}`, input: { query: 'tides' }, output: [{ title: 'Tides' }] }
    parts.push({ type: 'tool-web_search', ...call, state: 'output-available', providerExecuted: true })
    parts.push({ type: 'source-url', sourceId: `src_${at}`, url: 'https://t.example' })
  }
  if (text !== '') parts.push({ type: 'text', text, state: 'done' })
  calls.forEach(({ id, path, answer }, place) => {
    const input = { path }
    if (answer.kind === 'error')
      parts.push({ type: 'tool-read', toolCallId: id, state: 'output-error', input, errorText: answer.text })
    else {
      const output =
        answer.kind === 'data' ? { said: answer.text } : answer.kind === 'empty' ? '' : answer.text
      const done = { toolCallId: id, state: 'output-available' as const, input, output }
      parts.push(
        place === 1 ? { type: 'dynamic-tool', toolName: 'note', ...done } : { type: 'tool-read', ...done },
      )
    }
  })
  return parts
}
