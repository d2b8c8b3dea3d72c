// Loaded before an agent that asks Anthropic's API: a model in its place, which reads the file that a question names,
// recalls what it is asked to recall, and checks each request as the API does. What it saw goes to requests.jsonl.
import { appendFileSync } from 'node:fs'

let calls = 0
let tokens = 0
const refuse = (message) =>
  Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 })
const answer = (stop_reason, ...content) =>
  Response.json({ content, stop_reason, usage: { input_tokens: tokens, output_tokens: 20 } })
const use = (name, input) => answer('tool_use', { type: 'tool_use', id: `toolu_${++calls}`, name, input })

const blocksOf = ({ content }) => (Array.isArray(content) ? content : [{ type: 'text', text: content }])

/** What the API refuses: sides that do not alternate in pairs, and results that do not answer the calls just before. */
function faultIn(messages) {
  if (messages[0]?.role !== 'user') return 'the first message must be the user’s'
  for (const [i, message] of messages.entries()) {
    const asked = blocksOf(messages[i - 1] ?? { content: '' }).filter(({ type }) => type === 'tool_use')
    const given = blocksOf(message).filter(({ type }) => type === 'tool_result')
    const ids = (all, field) =>
      all
        .map((block) => block[field])
        .sort()
        .join()
    if (ids(asked, 'id') !== ids(given, 'tool_use_id')) return `messages.${i}: tool_use without tool_result`
  }
  return null
}

globalThis.fetch = async (_url, { body }) => {
  const { messages, ...rest } = JSON.parse(body)
  const fault = faultIn(messages)
  tokens = Math.round(body.length / 4)
  appendFileSync(
    'requests.jsonl',
    `${JSON.stringify({ fault, size: body.length, first: messages[0], names: Object.keys(rest) })}\n`,
  )
  if (fault !== null) return refuse(fault)
  const newest = blocksOf(messages.at(-1))
  const result = newest.find(({ type }) => type === 'tool_result')
  if (result !== undefined)
    return answer('end_turn', { type: 'text', text: `It says: ${String(result.content).slice(0, 200)}` })
  const said = newest.map(({ text }) => text).join(' ')
  const [, file] = /read (\S+\.txt)/.exec(said) ?? []
  if (file !== undefined) return use('read_file', { path: file })
  const [, words] = /recall (.+)/.exec(said) ?? []
  return words === undefined ? answer('end_turn', { type: 'text', text: 'Ready.' }) : use('recall', { words })
}
