import { callWords } from './failures'
import type { SourceMessage } from './source-message'

/** Most of one message, and of the excerpt as a whole. Characters. */
const [MESSAGE_CHARS, EXCERPT_CHARS] = [600, 3_000]

/**
 * The beginning of a split turn in short, made without a model: what was asked, and the newest steps that there is
 * room for. null when none of its messages says anything.
 * @param mask covers credentials
 */
export function turnExcerpt(
  messages: readonly SourceMessage[],
  mask: (text: string) => string,
): string | null {
  const [ask, ...steps] = messages.map((message) => lineOf(message, mask)).filter((line) => line !== null)
  if (ask === undefined) return null
  const newest: string[] = []
  let room = EXCERPT_CHARS - ask.length
  for (const line of steps.toReversed()) {
    room -= line.length + 1
    if (room < 0) break
    newest.unshift(line)
  }
  const left = steps.length - newest.length
  return [ask, ...(left > 0 ? [`- … ${left} more ${left === 1 ? 'step' : 'steps'}`] : []), ...newest].join(
    '\n',
  )
}

function lineOf({ role, text, calls }: SourceMessage, mask: (text: string) => string): string | null {
  const said = role === 'toolResult' ? [] : [mask(text)]
  const made = calls.map((call) => `calls ${mask(callWords(call))}`)
  const words = [...said, ...made].join(' ').replace(/\s+/g, ' ').trim()
  if (words === '') return null
  const line = `- ${role}: ${words}`
  return line.length <= MESSAGE_CHARS ? line : `${line.slice(0, MESSAGE_CHARS - 1)}…`
}
