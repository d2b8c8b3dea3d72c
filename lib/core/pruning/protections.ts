import type { Policy } from '../policy/policy'
import type { Milliseconds } from '../units/units'
import type { DropChunk } from './drop-chunk'

/** Why a chunk stays whatever its score; each has one sentence for people. */
export const PROTECTIONS = {
  newest: 'the newest message of the user always stays',
  summary: 'it replaces history that is gone',
  important: 'marked as important',
  chunks: 'among the newest chunks, which stay word for word',
  turns: 'within the newest turns of the user',
  messages: 'among the newest messages',
  recent: 'too young to go',
  kind: 'of a kind that always stays',
} as const

export type ChunkProtection = keyof typeof PROTECTIONS

export type ProtectionPolicy = Pick<Policy, 'relevance' | 'history' | 'pruning'>

/**
 * What protects each chunk, in their order: the rules unite, what any of them protects is protected.
 * A rule whose knob is 0 is off. @param now milliseconds since the epoch
 */
export function protections(
  chunks: readonly DropChunk[],
  policy: ProtectionPolicy,
  now: Milliseconds,
): ChunkProtection[][] {
  const { relevance, history, pruning } = policy
  const users = chunks.flatMap(({ role }, place) => (role === 'user' ? place : []))
  const newest = users.at(-1)
  const turnsFrom = startOf(users, history.recentTurns, chunks.length)
  const chunksFrom = chunks.length - relevance.minChunks
  const messages = chunks.reduce((most, { members }) => Math.max(most, (members.at(-1) ?? -1) + 1), 0)
  const messagesFrom = messages - pruning.keepLastMessages
  return chunks.map((chunk, place) => {
    const age = chunk.at === null ? null : now - chunk.at
    // For tool results the shorter time replaces the general one.
    const young = chunk.role === 'tool' ? pruning.toolResultsAfterMs : pruning.keepRecentMs
    const holds: { readonly [P in ChunkProtection]: boolean } = {
      newest: place === newest,
      summary: chunk.role === 'summary',
      important: chunk.important,
      chunks: place >= chunksFrom,
      turns: place >= turnsFrom,
      messages: (chunk.members.at(-1) ?? -1) >= messagesFrom,
      recent: age !== null && age < young,
      kind: chunk.kinds.some((kind) => pruning.alwaysKeep.includes(kind)),
    }
    return PROTECTION_NAMES.filter((name) => holds[name])
  })
}

const PROTECTION_NAMES = Object.keys(PROTECTIONS) as ChunkProtection[]

/** Where the last `count` turns begin; behind the end for none, at the beginning when there are not so many. */
function startOf(users: readonly number[], count: number, end: number): number {
  if (count === 0 || users.length === 0) return end
  return users.length <= count ? 0 : (users.at(-count) ?? end)
}
