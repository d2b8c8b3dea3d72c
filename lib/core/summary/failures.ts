import { commandOf } from './file-ledger'
import type { SourceCall, SourceMessage } from './source-message'

/** A tool call that failed, and whether the same call went well later. */
export type Failure = {
  readonly entryId: string
  readonly tool: string
  /** What was tried: a command, or the path that was worked on. */
  readonly what: string
  /** First telling line of the result. */
  readonly message: string
  /** Exit code of a command, where the runtime noted one. */
  readonly exitCode: number | null
  /** How often the same call failed in the same way; this is the last time. */
  count: number
  resolved: boolean
}

const MAX_MESSAGE = 240
const MAX_WHAT = 120

/**
 * Failures of a stretch of a session, call by call; a call that failed again in the same way (tool, arguments, exit
 * code, message) counts with its last failure. Unresolved ones first, newest first.
 */
export function failuresIn(messages: readonly SourceMessage[]): Failure[] {
  const calls = new CallsBefore(messages)
  const bySignature = new Map<string, Failure & { at: number }>()
  /** By tool and what was tried: what the same call resolves when it goes well later. */
  const open = new Map<string, Failure[]>()
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as SourceMessage
    if (message.role !== 'toolResult') continue
    const hasFailed = isFailedResult(message)
    // Most results went well, and nothing waits to be put right.
    if (!hasFailed && open.size === 0) continue
    const call = calls.find(message.resultFor ?? '', at) ?? message.calls[0]
    const tool = message.toolName ?? call?.name ?? 'tool'
    const what = call === undefined ? '' : whatOf(call)
    const key = `${tool} ${what}`
    if (hasFailed) {
      const text = tellingLine(message.text)
      const exitCode = message.exitCode ?? null
      const signature = JSON.stringify([tool, what, exitCode, text])
      const count = (bySignature.get(signature)?.count ?? 0) + 1
      bySignature.delete(signature)
      const failure = {
        entryId: message.entryId,
        tool,
        what: what.slice(0, MAX_WHAT),
        message: text,
        exitCode,
        count,
        resolved: false,
        at,
      }
      bySignature.set(signature, failure)
      const tried = open.get(key)
      if (tried === undefined) open.set(key, [failure])
      else tried.push(failure)
    } else {
      const tried = open.get(key)
      if (tried === undefined) continue
      for (const failure of tried) failure.resolved = true
      open.delete(key)
    }
  }
  return [...bySignature.values()]
    .sort((a, b) => Number(a.resolved) - Number(b.resolved) || b.at - a.at)
    .map(({ at: _at, ...failure }) => failure)
}

/** The calls of a list by their ids, as far as it was walked; nothing is gathered before the first is asked for. */
class CallsBefore {
  private readonly calls = new Map<string, SourceCall>()
  private next = 0

  constructor(private readonly messages: readonly SourceMessage[]) {}

  /** The last call of that id in front of a place. Places only grow. */
  find(id: string, place: number): SourceCall | undefined {
    const { calls, messages } = this
    for (; this.next < place; this.next++) {
      const message = messages[this.next] as SourceMessage
      if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call)
    }
    return calls.get(id)
  }
}

export function isFailedResult({ isError, exitCode }: SourceMessage): boolean {
  return isError === true || (exitCode !== undefined && exitCode !== 0)
}

/** A call as a person would name it: its tool, and what it was asked to do. */
export function callWords(call: SourceCall): string {
  return `${call.name} ${whatOf(call)}`.trim()
}

function whatOf(call: SourceCall): string {
  const command = commandOf(call.input)
  if (command !== '') return command.replace(/\s+/g, ' ').trim()
  const path = call.input.path ?? call.input.file_path ?? call.input.url ?? call.input.query
  return typeof path === 'string' ? path : ''
}

/** The line that names the error, else the last one that is not blank; results often begin with other output. */
function tellingLine(text: string): string {
  const lines = text
    .slice(-20_000)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const named = lines.find((line) =>
    /\b(error|exception|failed|fatal|cannot|not found|denied|refused|traceback)\b/i.test(line),
  )
  return (named ?? lines.at(-1) ?? '').replace(/\s+/g, ' ').slice(0, MAX_MESSAGE)
}
