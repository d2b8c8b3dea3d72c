import { type ChunkMessage, contextChunks } from '../pruning/context-chunks'
import type { TrialChunk } from './drop-trial'
import { inputText } from './texts/input-text'

/** The chunks of a session with what the model wrote in each listed separately, as needs are found in it. */
export function trialChunks(messages: readonly ChunkMessage[]): TrialChunk[] {
  return contextChunks(messages).map((chunk) => {
    const own = chunk.members.flatMap((place) => {
      const message = messages[place]
      return message?.role === 'assistant' ? [message] : []
    })
    if (own.length === 0) return { ...chunk, written: null }
    const prose = own.map(({ text }) => text).join('\n')
    const inputs = own.flatMap(({ calls }) => calls.map(({ input }) => inputText(input))).join('\n')
    return { ...chunk, written: { prose, inputs } }
  })
}
