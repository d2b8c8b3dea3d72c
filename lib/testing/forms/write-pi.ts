import { PIXEL, type TalkStep, type ToolStep } from './steps'

type Message = { readonly role: string; readonly [field: string]: unknown }

const text = (value: string) => ({ type: 'text', text: value })
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' }

/** A conversation as pi and OpenClaw keep it; times are a minute apart. */
export function piMessages(steps: readonly TalkStep[]): Message[] {
  return steps.flatMap((step, at): Message[] => {
    const timestamp = at * 60_000
    if (step.kind === 'ask')
      return [
        {
          role: 'user',
          content: step.attachment === 'image' ? [text(step.text), IMAGE] : step.text,
          timestamp,
        },
      ]
    const content: unknown[] = []
    if (step.thinking !== 'none')
      content.push({
        type: 'thinking',
        thinking: step.thinking === 'plain' ? 'Let me see.' : '',
        thinkingSignature: 'c2lnbmVk',
        ...(step.thinking === 'redacted' ? { redacted: true } : {}),
      })
    if (step.text !== '') content.push(text(step.text))
    for (const { id, path } of step.calls)
      content.push({ type: 'toolCall', id, name: 'read', arguments: { path } })
    return [
      { role: 'assistant', content, usage: { input: 1, output: 1 }, timestamp },
      ...step.calls.map((call) => ({ ...resultOf(call), timestamp })),
      ...(step.aside === '' ? [] : [{ role: 'user', content: step.aside, timestamp }]),
    ]
  })
}

function resultOf({ id, answer }: ToolStep): Message {
  const content =
    answer.kind === 'empty' ? [] : [text(answer.text), ...(answer.kind === 'picture' ? [IMAGE] : [])]
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: 'read',
    content,
    details: { exitCode: answer.kind === 'error' ? 1 : 0 },
    isError: answer.kind === 'error',
  }
}

/** The same conversation without tools, where only roles and texts are kept. */
export function plainMessages(steps: readonly TalkStep[]): Message[] {
  return steps.flatMap((step): Message[] => {
    if (step.kind === 'ask') return [{ role: 'user', content: step.text }]
    const said = [step.text, ...step.calls.map(({ answer }) => answer.text)].filter((one) => one !== '')
    const answer = { role: 'assistant', content: said.join('\n') }
    return step.aside === '' ? [answer] : [answer, { role: 'user', content: step.aside }]
  })
}
