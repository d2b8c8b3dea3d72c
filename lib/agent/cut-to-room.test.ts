import { describe, expect, it } from 'vitest'
import { cutToRoom } from './cut-to-room'

type Message = {
  readonly role: string
  readonly name: string
  readonly tokens: number
  readonly calls?: readonly { readonly id: string }[]
  readonly resultFor?: string
}

const user = (name: string, tokens = 10): Message => ({ role: 'user', name, tokens })
const answer = (name: string, tokens = 10, ...calls: string[]): Message => ({
  role: 'assistant',
  name,
  tokens,
  ...(calls.length > 0 ? { calls: calls.map((id) => ({ id })) } : {}),
})
const result = (name: string, resultFor: string, tokens = 10): Message => ({
  role: 'toolResult',
  name,
  tokens,
  resultFor,
})
const summary = (name: string, tokens = 10): Message => ({ role: 'compactionSummary', name, tokens })
const form = {
  tokensOf: ({ tokens }: Message) => tokens,
  isSummary: ({ role }: Message) => role === 'compactionSummary',
}

function cut(messages: readonly Message[], room: number, incoming: readonly Message[] = [], recentTurns = 2) {
  const done = cutToRoom(messages, incoming, room, form, recentTurns)
  return { kept: done.messages.map(({ name }) => name).join(' '), left: done.left, over: done.over }
}
const TALK = [user('a'), answer('b'), user('c'), answer('d'), user('e'), answer('f')]

describe('A13 what of a conversation fits into a room', () => {
  it.each<[number, string]>([
    [60, 'a b c d e f'],
    [59, 'c d e f'],
    [40, 'c d e f'],
    [39, 'e f'],
    [20, 'e f'],
  ])('whole turns go, oldest first: %i tokens', (room, kept) => {
    expect(cut(TALK, room)).toEqual({ kept, left: 6 - kept.split(' ').length, over: 0 })
  })

  it('the newest message of the user stays, whatever its size, and what is above the room is said', () => {
    const { kept, over } = cut([...TALK, user('g', 100)], 30)
    expect(kept).toBe('g')
    expect(over).toBe(70)
    expect(cut([], 10)).toEqual({ kept: '', left: 0, over: 0 })
  })

  it('summaries in front stay, and take their room', () => {
    expect(cut([summary('s'), summary('t'), ...TALK], 60)).toEqual({ kept: 's t c d e f', left: 2, over: 0 })
    expect(cut([summary('s', 90), user('a')], 50)).toEqual({ kept: 's a', left: 0, over: 50 })
    expect(cut([summary('s', 90)], 50)).toEqual({ kept: 's', left: 0, over: 40 })
  })

  it('a message that comes in is the newest one, so that the last of the conversation may go', () => {
    expect(cut([...TALK, user('g', 100)], 30).kept).toBe('g')
    const incoming = cut([...TALK, user('g', 100)], 30, [user('h')])
    expect(incoming.kept).not.toContain('g')
    const resultOnly = cut([...TALK, user('g', 100)], 30, [result('r', 'c')])
    expect(resultOnly.kept).toBe('g')
  })

  it('no result stays without its call', () => {
    const talk = [
      user('a'),
      answer('b', 10, 'x'),
      result('r', 'x'),
      answer('d', 10, 'y'),
      result('q', 'y'),
      answer('e'),
    ]
    for (const room of [60, 50, 40, 30, 20, 10]) {
      const kept = cut(talk, room).kept.split(' ')
      if (kept.includes('r')) expect(kept).toContain('b')
      if (kept.includes('q')) expect(kept).toContain('d')
      expect(kept).toContain('a')
    }
  })
})
