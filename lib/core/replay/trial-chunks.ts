import { type ChunkMessage, contextChunks } from '../pruning/context-chunks'
import type { TrialChunk } from './drop-trial'

/** Arguments that are nested deeper than tools nest them are left out. */
const MAX_DEPTH = 6

/** The chunks of a session with what the model wrote in each kept apart, as needs are found in it. */
export function trialChunks(messages: readonly ChunkMessage[]): TrialChunk[] {
  return contextChunks(messages).map((chunk) => {
    const own = chunk.members.flatMap((place) => {
      const message = messages[place]
      return message?.role === 'assistant' ? [message] : []
    })
    if (own.length === 0) return { ...chunk, written: null }
    const prose = own.map(({ text }) => text).join('\n')
    const inputs = own.flatMap(({ calls }) => calls.map(({ input }) => textsIn(input, 0))).join('\n')
    return { ...chunk, written: { prose, inputs } }
  })
}

/** The texts of a call's arguments as they are, without the escapes of JSON. */
function textsIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  if (depth === MAX_DEPTH) return ''
  return Object.values(value)
    .map((part) => textsIn(part, depth + 1))
    .join('\n')
}
