import fc from 'fast-check'
import type { ContentMessage } from '../../core/history/thinking'

/** APIs whose messages an agent may keep. */
export const MESSAGE_FORMS = ['pi', 'alias', 'anthropic', 'chat', 'responses', 'ai-sdk'] as const
export type BuiltForm = (typeof MESSAGE_FORMS)[number]

/** A step of an agent, whatever the API: what is asked, or an answer with the calls that it makes and their results. */
export type ConversationStep =
  | { readonly kind: 'ask'; readonly text: string; readonly image: boolean }
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly thinks: boolean
      readonly calls: readonly { readonly id: string; readonly path: string; readonly result: string }[]
      /** Anthropic: what the user says in the message of the results. */
      readonly aside: string
    }

/** Conversations of whole turns: every call is answered in place. */
export function conversations(words = 30): fc.Arbitrary<ConversationStep[]> {
  const text = fc.integer({ min: 1, max: words }).map((count) => 'berth crane ledger '.repeat(count))
  const answer = fc.record({
    text,
    thinks: fc.boolean(),
    calls: fc.array(text, { maxLength: 3 }),
    aside: fc.constantFrom('', '', '', 'And hurry.'),
  })
  const turn = fc.record({
    ask: text,
    image: fc.integer({ max: 9, min: 0 }).map((n) => n === 0),
    answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  })
  return fc.array(turn, { minLength: 1, maxLength: 12 }).map((turns) => {
    let id = 0
    return turns.flatMap(({ ask, image, answers }, at): ConversationStep[] => [
      { kind: 'ask', text: `${at}: ${ask}`, image },
      ...answers.map(({ calls, ...rest }): ConversationStep => {
        const made = calls.map((result) => ({
          id: `call_${++id}`,
          path: `log/${id}.md`,
          result: `${id}: ${result}`,
        }))
        return { kind: 'answer', ...rest, aside: made.length > 0 ? rest.aside : '', calls: made }
      }),
    ])
  })
}

/** A conversation as an agent of an API keeps it. */
export function inForm(form: BuiltForm, steps: readonly ConversationStep[]): ContentMessage[] {
  return steps.flatMap((step) => WRITERS[form](step))
}

type Answer = Extract<ConversationStep, { kind: 'answer' }>
type Writer = (step: ConversationStep) => ContentMessage[]

function writer(
  ask: (step: Extract<ConversationStep, { kind: 'ask' }>) => ContentMessage,
  answer: (step: Answer) => ContentMessage[],
): Writer {
  return (step) => (step.kind === 'ask' ? [ask(step)] : answer(step))
}

const text = (value: string) => ({ type: 'text', text: value })
const thinking = ({ thinks }: Answer) =>
  thinks ? [{ type: 'thinking', thinking: 'let me see', signature: 'c2ln' }] : []
const piThinking = ({ thinks }: Answer) =>
  thinks ? [{ type: 'thinking', thinking: 'let me see', thinkingSignature: 'c2ln' }] : []
const piAsk = ({ text: said, image }: Extract<ConversationStep, { kind: 'ask' }>) => ({
  role: 'user',
  content: image ? [text(said), { type: 'image', data: 'AAAA', mimeType: 'image/png' }] : said,
})

const WRITERS: { readonly [F in BuiltForm]: Writer } = {
  pi: writer(piAsk, (step) => [
    {
      role: 'assistant',
      content: [
        ...piThinking(step),
        text(step.text),
        ...step.calls.map(({ id, path }) => ({ type: 'toolCall', id, name: 'read', arguments: { path } })),
      ],
      usage: { input: 1 },
    } as ContentMessage,
    ...step.calls.map(({ id, result }) => ({
      role: 'toolResult',
      toolCallId: id,
      toolName: 'read',
      content: [text(result)],
      details: { exitCode: 0 },
      isError: false,
    })),
    ...(step.aside === '' ? [] : [{ role: 'user', content: step.aside }]),
  ]),
  alias: writer(piAsk, (step) => [
    {
      role: 'assistant',
      content: [
        ...step.calls.map(({ id, path }) => ({ type: 'functionCall', id, name: 'read', input: { path } })),
        text(step.text),
      ],
    },
    ...step.calls.map(
      ({ id, result }) => ({ role: 'toolResult', tool_call_id: id, content: result }) as ContentMessage,
    ),
  ]),
  anthropic: writer(
    ({ text: said, image }) => ({
      role: 'user',
      content: image
        ? [text(said), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }]
        : said,
    }),
    (step) => [
      {
        role: 'assistant',
        content: [
          ...thinking(step),
          text(step.text),
          ...step.calls.map(({ id, path }) => ({ type: 'tool_use', id, name: 'read', input: { path } })),
        ],
      },
      ...(step.calls.length === 0
        ? []
        : [
            {
              role: 'user',
              content: [
                ...step.calls.map(({ id, result }) => ({
                  type: 'tool_result',
                  tool_use_id: id,
                  content: result,
                })),
                ...(step.aside === '' ? [] : [text(step.aside)]),
              ],
            },
          ]),
    ],
  ),
  chat: writer(
    ({ text: said, image }) => ({
      role: 'user',
      content: image
        ? [text(said), { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
        : said,
    }),
    (step) => [
      {
        role: 'assistant',
        content: step.thinks ? null : step.text,
        ...(step.calls.length === 0 && !step.thinks
          ? {}
          : {
              tool_calls: step.calls.map(({ id, path }) => ({
                id,
                type: 'function',
                function: { name: 'read', arguments: JSON.stringify({ path }) },
              })),
            }),
      },
      ...step.calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ],
  ),
  responses: writer(
    ({ text: said, image }) => ({
      role: 'user',
      content: image
        ? [
            { type: 'input_text', text: said },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          ]
        : said,
    }),
    (step) => [
      ...(step.thinks
        ? [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'b3BhcXVl' } as ContentMessage]
        : []),
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: step.text, annotations: [] }],
      },
      ...step.calls.map(({ id, path }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name: 'read',
        arguments: JSON.stringify({ path }),
      })),
      ...step.calls.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
    ],
  ),
  'ai-sdk': writer(
    ({ text: said, image }) => ({
      role: 'user',
      content: image ? [text(said), { type: 'file', data: 'AAAA', mediaType: 'image/png' }] : said,
    }),
    (step) => [
      {
        role: 'assistant',
        content: [
          ...(step.thinks ? [{ type: 'reasoning', text: 'let me see' }] : []),
          text(step.text),
          ...step.calls.map(({ id, path }) => ({
            type: 'tool-call',
            toolCallId: id,
            toolName: 'read',
            input: { path },
          })),
        ],
      },
      ...(step.calls.length === 0
        ? []
        : [
            {
              role: 'tool',
              content: step.calls.map(({ id, result }) => ({
                type: 'tool-result',
                toolCallId: id,
                toolName: 'read',
                output: { type: 'text', value: result },
              })),
            },
          ]),
    ],
  ),
}
