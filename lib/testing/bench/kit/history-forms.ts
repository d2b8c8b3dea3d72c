import type { History, HistoryCall } from './random-histories'

/** A message as an API or a library has it. */
export type AnyMessage = { readonly [field: string]: unknown }

/** Calls and results of messages, by their ids in order. */
export type PairsOf = {
  readonly calls: readonly string[]
  readonly results: readonly string[]
  readonly torn: number
}

const text = (type: string, value: string) => [{ type, text: value }]
const INPUT = { path: 'log/harbour.md' }
const ARGUMENTS = JSON.stringify(INPUT)

type Parts = {
  readonly asked: (words: string) => AnyMessage
  readonly called: (calls: readonly HistoryCall[]) => readonly AnyMessage[]
  readonly answered: (results: readonly HistoryCall[]) => readonly AnyMessage[]
  readonly said: (words: string) => AnyMessage
}

const FORMS = {
  'Anthropic Messages': {
    asked: (words) => ({ role: 'user', content: words }),
    called: (calls) => [
      {
        role: 'assistant',
        content: calls.map(({ id, name }) => ({ type: 'tool_use', id, name, input: INPUT })),
      },
    ],
    answered: (results) => [
      {
        role: 'user',
        content: results.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result })),
      },
    ],
    said: (words) => ({ role: 'assistant', content: text('text', words) }),
  },
  'Chat Completions': {
    asked: (words) => ({ role: 'user', content: words }),
    called: (calls) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ id, name }) => ({
          id,
          type: 'function',
          function: { name, arguments: ARGUMENTS },
        })),
      },
    ],
    answered: (results) =>
      results.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    said: (words) => ({ role: 'assistant', content: words }),
  },
  Responses: {
    asked: (words) => ({ role: 'user', content: text('input_text', words) }),
    called: (calls) =>
      calls.map(({ id, name }) => ({ type: 'function_call', call_id: id, name, arguments: ARGUMENTS })),
    answered: (results) =>
      results.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
    said: (words) => ({ type: 'message', role: 'assistant', content: text('output_text', words) }),
  },
  'AI SDK': {
    asked: (words) => ({ role: 'user', content: words }),
    called: (calls) => [
      {
        role: 'assistant',
        content: calls.map(({ id, name }) => ({
          type: 'tool-call',
          toolCallId: id,
          toolName: name,
          input: INPUT,
        })),
      },
    ],
    answered: (results) => [
      {
        role: 'tool',
        content: results.map(({ id, name, result }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: 'text', value: result },
        })),
      },
    ],
    said: (words) => ({ role: 'assistant', content: text('text', words) }),
  },
  'pi and OpenClaw': {
    asked: (words) => ({ role: 'user', content: text('text', words), timestamp: 0 }),
    called: (calls) => [
      {
        role: 'assistant',
        content: calls.map(({ id, name }) => ({ type: 'toolCall', id, name, arguments: INPUT })),
        timestamp: 0,
      },
    ],
    answered: (results) =>
      results.map(({ id, name, result }) => ({
        role: 'toolResult',
        toolCallId: id,
        toolName: name,
        content: text('text', result),
        isError: false,
        timestamp: 0,
      })),
    said: (words) => ({ role: 'assistant', content: text('text', words), timestamp: 0 }),
  },
  'plain text': {
    asked: (words) => ({ role: 'user', content: words }),
    called: () => [],
    answered: (results) => results.map(({ result }) => ({ role: 'user', content: result })),
    said: (words) => ({ role: 'assistant', content: words }),
  },
} as const satisfies { readonly [name: string]: Parts }

export type HistoryForm = keyof typeof FORMS

/** Forms of messages that providers and agents have. */
export const HISTORY_FORMS = Object.keys(FORMS) as readonly HistoryForm[]

/** A history as messages of a form; each with its own time where the form has one. */
export function historyMessages(form: HistoryForm, history: History): AnyMessage[] {
  const { asked, called, answered, said } = FORMS[form]
  const all = history.flatMap((turn) => [
    asked(turn.asked),
    ...turn.steps.flatMap(({ calls, results }) => [...called(calls), ...answered(results)]),
    ...(turn.answer === null ? [] : [said(turn.answer)]),
  ])
  const start = 1_700_000_000_000
  return all.map((message, i) =>
    'timestamp' in message ? { ...message, timestamp: start + i * 1000 } : message,
  )
}

const blocksOf = ({ content }: AnyMessage) =>
  Array.isArray(content) ? (content as readonly AnyMessage[]) : []
const ids = (values: readonly unknown[]) =>
  values.filter((value): value is string => typeof value === 'string')

function callsIn(message: AnyMessage): string[] {
  const listed = Array.isArray(message.tool_calls) ? (message.tool_calls as readonly AnyMessage[]) : []
  return ids([
    ...listed.map(({ id }) => id),
    message.type === 'function_call' ? message.call_id : null,
    ...blocksOf(message).map((block) => {
      if (block.type === 'tool-call') return block.toolCallId
      return block.type === 'tool_use' || block.type === 'toolCall' ? block.id : null
    }),
  ])
}

function resultsIn(message: AnyMessage): string[] {
  return ids([
    message.tool_call_id,
    message.role === 'toolResult' ? message.toolCallId : null,
    message.type === 'function_call_output' ? message.call_id : null,
    ...blocksOf(message).map((block) => {
      if (block.type === 'tool-result') return block.toolCallId
      return block.type === 'tool_result' ? block.tool_use_id : null
    }),
  ])
}

/** Calls and results in messages of any of the forms, and how many lack their other half; a result must come later. */
export function pairsIn(messages: readonly AnyMessage[]): PairsOf {
  const waiting = new Set<string>()
  const calls: string[] = []
  const results: string[] = []
  let orphans = 0
  for (const message of messages) {
    for (const id of resultsIn(message)) {
      results.push(id)
      if (!waiting.delete(id)) orphans++
    }
    for (const id of callsIn(message)) {
      calls.push(id)
      waiting.add(id)
    }
  }
  return { calls, results, torn: orphans + waiting.size }
}
