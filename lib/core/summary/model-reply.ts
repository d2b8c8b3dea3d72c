/** Why an answer of a summariser is not taken as a summary. */
type ReplyFault = 'empty' | 'markup' | 'too-long' | 'refusal'

export type ReadReply =
  | { readonly ok: true; readonly summary: string }
  | { readonly ok: false; readonly fault: ReplyFault; readonly message: string }

/** Answers above this are none: no request asks for so much. Characters. */
const MAX_REPLY_CHARS = 64_000

/**
 * Takes the summary out of a model's answer: without thinking that some models print, without a fence around it. An
 * answer that cannot be a summary says why.
 */
export function readReply(text: string): ReadReply {
  if (text.length > MAX_REPLY_CHARS)
    return { ok: false, fault: 'too-long', message: `The answer has ${text.length} characters.` }
  const summary = unfenced(withoutThinking(text)).trim()
  if (summary === '') return { ok: false, fault: 'empty', message: 'The answer is empty.' }
  if (/^\s*<(!doctype|html)\b/i.test(summary))
    return { ok: false, fault: 'markup', message: 'The answer is a web page, not a summary.' }
  if (/^(i'm sorry|i am sorry|i can(no|')t|as an ai)\b/i.test(summary) && summary.length < 400)
    return { ok: false, fault: 'refusal', message: 'The model declined.' }
  return { ok: true, summary }
}

function withoutThinking(text: string): string {
  const end = text.lastIndexOf('</think>')
  return end < 0 ? text : text.slice(end + '</think>'.length)
}

function unfenced(text: string): string {
  const match = /^\s*```(?:markdown|md|text)?\n([\s\S]*)\n```\s*$/.exec(text)
  return match?.[1] ?? text
}
