import { describe, expect, test } from 'vitest'
import { recoveredText } from '../../core/cold/place-back'
import type { ContentMessage } from '../../core/history/thinking'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { transientCold } from '../../engine/cold/transient-cold'
import { sizeOf, turnsOf } from '../../testing/live-conversation'
import { CONTENT_FORM } from '../content-form'
import { keepCopies, leavingChunk, takeCopiesBack } from './keep-copies'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const form = { ...CONTENT_FORM, tokensOf: sizeOf }
const CHUNK = { id: 'c1', text: 'berth 4', tokens: 9 }
const CAUSE = { session: 's', reason: 'low_relevance', score: 0.1, prompt: 'Which berth?' }
const user = (content: unknown): ContentMessage => ({ role: 'user', content })
const NOTE = recoveredText({ chunkId: 'old', at: NOW, reason: null, content: 'berth 4' } as never)
const NOTE_BLOCK = { type: 'text', text: NOTE }

describe('I1 what leaves a conversation', () => {
  test('is kept with its text, its cause and the agent’s own messages, and has no file that it could go back into', () => {
    const message = user('berth 4')
    expect(leavingChunk(form, CHUNK, [message], CAUSE)).toEqual({
      ...{ chunkId: 'c1', sessionId: 's', content: 'berth 4', tokens: 9, place: null },
      ...{ reason: 'low_relevance', score: 0.1, prompt: 'Which berth?' },
      messages: [JSON.stringify(message)],
    })
  })

  test.each([
    ['a text', user(NOTE)],
    ['a block', user([NOTE_BLOCK])],
  ])('is no message where it is a note that was made here: %s', (_what, note) => {
    expect(leavingChunk(form, CHUNK, [note], CAUSE)).not.toHaveProperty('messages')
    const plain = { ...form, hasBlocks: false }
    expect(leavingChunk(plain, CHUNK, [note], CAUSE)).not.toHaveProperty('messages')
  })

  test('is a message where it only looks like a note, or is beside another one', () => {
    for (const parts of [
      [user('<recovered-context')],
      [user(NOTE), user('x')],
      [user([{ type: 'image', data: 'x' }])],
      // What else it says or shows would be lost.
      [user([{ type: 'image', data: 'x' }, NOTE_BLOCK])],
      [user([{ type: 'reasoning', text: NOTE }, NOTE_BLOCK])],
    ])
      expect(leavingChunk(form, CHUNK, parts, CAUSE).messages).toHaveLength(parts.length)
  })

  test('is no message where an agent’s own form reads a note in it, wherever that keeps its texts', () => {
    const own = {
      ...form,
      hasBlocks: false,
      toSource: (one: ContentMessage) => form.toSource(user((one as { readonly body?: unknown }).body), 0),
    }
    const note = { role: 'user', body: NOTE } as ContentMessage
    expect(leavingChunk(own, CHUNK, [note], CAUSE)).not.toHaveProperty('messages')
    const hidden = { ...own, toSource: () => null }
    expect(leavingChunk(hidden, CHUNK, [note], CAUSE).messages).toEqual([JSON.stringify(note)])
  })
})

describe('I1 copies of what leaves', () => {
  const before = [user('<prior-conversation-summary>\nold\n</prior-conversation-summary>'), ...turnsOf(2)]

  async function keep(
    after: readonly ContentMessage[],
    more: { copied?: Set<ContentMessage>; enabled?: boolean } = {},
  ) {
    const store = transientCold()
    const { copied, enabled = true } = more
    const policy = { ...DEFAULT_POLICY, coldStorage: { ...DEFAULT_POLICY.coldStorage, enabled } }
    const place = { session: 's', form, policy, ports: { store, now: () => NOW } }
    const kept = await keepCopies(
      place,
      before,
      after,
      'summarised',
      ...(copied === undefined ? [] : [copied]),
    )
    return { kept, chunks: (await store.list()).chunks }
  }

  test('are made of all but summaries, pairs whole, with the reason', async () => {
    const { kept, chunks } = await keep([])
    expect(kept.kind).toBe('stored')
    expect(chunks).toHaveLength(6)
    expect(new Set(chunks.map(({ reason, score, prompt }) => [reason, score, prompt].join()))).toEqual(
      new Set(['summarised,,']),
    )
    expect(chunks.some(({ content }) => content.includes('old'))).toBe(false)
  })

  test('are not made of what stays, and of what has its copy', async () => {
    expect((await keep(before)).chunks).toEqual([])
    expect((await keep(before.slice(0, 5), { copied: new Set(before.slice(5, 8)) })).chunks).toHaveLength(1)
    expect(await keep([], { enabled: false })).toEqual({ kept: { kind: 'stored', chunks: [] }, chunks: [] })
    const nowhere = { session: 's', form, policy: DEFAULT_POLICY, ports: null }
    expect(await keepCopies(nowhere, before, [], 'summarised')).toEqual({ kind: 'stored', chunks: [] })
  })

  test('are made when somebody asks for them, of what the messages said when they left; for other forms and stores at once', async () => {
    const ways = [
      { isOwn: false, store: transientCold(), isRead: false },
      { isOwn: true, store: transientCold(), isRead: true },
      { isOwn: false, store: { ...transientCold() }, isRead: true },
    ]
    const lists: unknown[] = []
    for (const { isOwn, store, isRead } of ways) {
      let [reads, sizes] = [0, 0]
      const counted: typeof form = {
        ...form,
        ...(isOwn ? { hasBlocks: false } : {}),
        toSource: (message, at) => {
          reads += 1
          return form.toSource(message, at)
        },
        tokensOf: (message) => {
          sizes += 1
          return sizeOf(message)
        },
      }
      const messages = turnsOf(2)
      const place = {
        ...{ session: 's', form: counted, policy: DEFAULT_POLICY, ports: { store, now: () => NOW } },
      }
      await keepCopies(place, messages, [], 'summarised')
      expect([reads > 0, sizes]).toEqual([isRead, 8])
      for (const message of messages) Object.assign(message, { content: 'changed since' })
      lists.push((await store.list()).chunks)
      expect([reads > 0, sizes]).toEqual([true, 8])
    }
    const [first] = lists
    expect(JSON.stringify(first)).not.toContain('changed since')
    expect(lists).toEqual([first, first, first])
    const tokens = (first as { tokens: number }[]).reduce((sum, chunk) => sum + chunk.tokens, 0)
    expect(tokens).toBe(turnsOf(2).reduce((sum, message) => sum + sizeOf(message), 0))
  })

  test('that cannot be written let nothing leave', async () => {
    const ring: { role: string; content: unknown; self?: unknown } = { role: 'user', content: 'x' }
    ring.self = ring
    const place = {
      session: 's',
      form,
      policy: DEFAULT_POLICY,
      ports: { store: transientCold(), now: () => NOW },
    }
    expect(await keepCopies(place, [ring as ContentMessage], [], 'summarised')).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'not-supported',
        message: expect.stringMatching(
          /^A message cannot be written to cold storage: .*Nothing was dropped\.$/s,
        ),
      },
    })
  })

  test('are taken back, and what they had replaced is there again; what fails is said', async () => {
    const { kept } = await keep([])
    if (kept.kind !== 'stored') throw new Error(kept.kind)
    const calls: unknown[] = []
    const store = {
      ...transientCold(),
      remove: async (chunks: readonly { chunkId: string; file: string }[]) => {
        calls.push(chunks.map(({ chunkId, file }) => [chunkId, file]))
        return chunks.length
      },
      put: async (records: readonly unknown[]) => {
        calls.push(records)
        return []
      },
    }
    const ports = { store, now: () => NOW } as never
    const [first, second] = kept.chunks
    if (first === undefined || second === undefined) throw new Error('nothing was kept')
    const earlier = [first.record] as never
    expect(await takeCopiesBack(ports, [])).toEqual([])
    expect(calls).toEqual([])
    expect(await takeCopiesBack(ports, [first])).toEqual([])
    expect(await takeCopiesBack(ports, [first, { ...second, earlier }])).toEqual([])
    const named = ({ record, file }: typeof first) => [record.chunkId, file]
    expect(calls).toEqual([[named(first)], [named(first), named(second)], earlier])
    const dead = {
      store: { ...store, remove: () => Promise.reject(new Error('dead')) },
      now: () => NOW,
    } as never
    expect(await takeCopiesBack(dead, [first, second])).toEqual([
      '2 chunks that did not leave the context are in cold storage all the same: dead',
    ])
  })
})
