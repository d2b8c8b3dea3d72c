import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyHistories,
  history,
  historyWords,
  type LightMessage,
  pairedHistories,
} from '../../testing/builders/history'
import { runs } from '../../testing/runs'
import { messageCraft } from './message-craft'
import { findUnpaired } from './pairing'
import {
  acceptsIds,
  isUserSide,
  type MessageCraft,
  orderForProvider,
  type ProviderFamily,
  providerFamily,
} from './provider-order'
import type { ContentMessage } from './thinking'

const FAMILIES = ['anthropic', 'google', 'mistral', 'openai', 'other'] as const

const craft: MessageCraft<LightMessage> = {
  merge: (first, next) => ({
    ...first,
    role: first.role === 'assistant' ? 'assistant' : 'user',
    name: `${first.name}+${next.name.slice(next.name.indexOf(':') + 1)}`,
    tokens: first.tokens + next.tokens,
    calls: [...(first.calls ?? []), ...(next.calls ?? [])],
  }),
  opening: () => ({ name: '-:opening', role: 'user', tokens: 4 }),
  rename: (message, ids) => ({
    ...message,
    ...(message.calls && {
      calls: message.calls.map((call) => ({ ...call, id: ids.get(call.id) ?? call.id })),
    }),
    ...(message.resultFor !== undefined && { resultFor: ids.get(message.resultFor) ?? message.resultFor }),
  }),
}

function order(words: string, family: ProviderFamily, thinking = false): string {
  return historyWords([...orderForProvider(history(words), family, craft, { thinking })])
}

describe('order for a provider', () => {
  it('C12 merges user messages in a row, summaries and notes among them', () => {
    for (const family of ['anthropic', 'google', 'mistral', 'other'] as const) {
      expect(order('summary user custom assistant user user', family)).toBe(
        'summary+user+custom assistant user+user',
      )
    }
    expect(order('user user assistant', 'openai')).toBe('user user assistant')
  })

  it('C12 merges answers in a row, but never an answer that waits for results', () => {
    expect(order('user assistant assistant user', 'google')).toBe('user assistant+assistant user')
    expect(order('user assistant assistant:a result:a assistant', 'anthropic')).toBe(
      'user assistant+assistant:a result:a assistant',
    )
    expect(order('user assistant:a assistant', 'google')).toBe('user assistant:a assistant')
    expect(order('user assistant:a result:a user', 'anthropic')).toBe('user assistant:a result:a user')
  })

  it('C12 merges nothing that the agent keeps apart', () => {
    const messages = history('user user assistant assistant')
    const apart = { ...craft, mayMerge: (first: LightMessage) => first.role === 'assistant' }
    expect(historyWords([...orderForProvider(messages, 'google', apart)])).toBe(
      'user user assistant+assistant',
    )
  })

  it('C12 puts a user message first', () => {
    for (const family of FAMILIES) {
      expect(order('assistant:a result:a user', family)).toMatch(/^opening assistant:a/)
      expect(order('result:x assistant user', family)).toBe('opening assistant user')
      expect(order('', family)).toBe('')
    }
  })

  it('C12 drops an answer at the end where the provider refuses it: Anthropic with thinking on', () => {
    expect(order('user assistant', 'anthropic', true)).toBe('user')
    expect(order('user assistant', 'anthropic')).toBe('user assistant')
    expect(order('user assistant', 'google', true)).toBe('user assistant')
    expect(order('assistant assistant:a', 'anthropic', true)).toBe('')
  })

  it('C12 gives calls and their results ids of the form that the provider takes', () => {
    const messages = history('user assistant:call|1,fine result:call|1 result:fine')
    const [, answer, first, second] = orderForProvider(messages, 'anthropic', craft)
    expect(answer?.calls?.map(({ id }) => id)).toEqual(['call1', 'fine'])
    expect([first?.resultFor, second?.resultFor]).toEqual(['call1', 'fine'])
    expect(second).toBe(messages[3])
    const [, mistral] = orderForProvider(messages, 'mistral', craft)
    for (const { id } of mistral?.calls ?? []) expect(id).toMatch(/^[A-Za-z0-9]{9}$/)
    expect(orderForProvider(messages, 'openai', craft)).toEqual(messages)
    const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })
    const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
    const own: ContentMessage[] = [
      { role: 'user', content: 'Which?' },
      { role: 'assistant', content: [use('fine'), use('call|1')] },
      { role: 'user', content: [block('fine'), block('call|1')] },
    ]
    const ofText = messageCraft<ContentMessage>((content) => ({ role: 'user', content }))
    expect(orderForProvider(own, 'anthropic', ofText)[2]?.content).toEqual([block('fine'), block('call1')])
  })

  it('C12 knows the families', () => {
    expect(providerFamily('anthropic')).toBe('anthropic')
    expect(providerFamily('amazon-bedrock', 'bedrock-converse-stream')).toBe('anthropic')
    expect(providerFamily('minimax')).toBe('anthropic')
    expect(providerFamily('google-vertex', 'anthropic-messages')).toBe('anthropic')
    expect(providerFamily('google-gemini-cli')).toBe('google')
    expect(providerFamily('mistral', 'openai-completions')).toBe('mistral')
    expect(providerFamily('openai-codex', 'openai-codex-responses')).toBe('openai')
    expect(providerFamily('openai')).toBe('openai')
    expect(providerFamily('ollama', 'openai-completions')).toBe('other')
    expect(providerFamily('ollama', 'azure-openai-completions')).toBe('openai')
    expect(providerFamily('ollama', 'openai-completions-legacy')).toBe('openai')
    expect(providerFamily('')).toBe('other')
  })

  it('C12 holds for every history: nothing orphaned, sides alternate, user first, idempotent, newest user kept', () => {
    fc.assert(
      fc.property(
        fc.oneof(pairedHistories, anyHistories),
        fc.constantFrom(...FAMILIES),
        fc.boolean(),
        (messages, family, thinking) => {
          const ordered = orderForProvider(messages, family, craft, { thinking })
          expect(findUnpaired(ordered).orphans).toEqual([])
          if (ordered[0] !== undefined) expect(isUserSide(ordered[0])).toBe(true)
          if (family !== 'openai') {
            ordered.forEach((message, i) => {
              const next = ordered[i + 1]
              if (next === undefined) return
              if (isUserSide(message)) expect(isUserSide(next)).toBe(false)
              if (message.role === 'assistant' && !message.calls?.length)
                expect(next.role).not.toBe('assistant')
            })
          }
          expect(orderForProvider(ordered, family, craft, { thinking })).toEqual(ordered)
          const users = (list: readonly LightMessage[]) =>
            list.flatMap((m) => m.name.split(/[:+]/).filter((word) => word === 'user')).length
          expect(users(ordered)).toBe(users(messages))
        },
      ),
      runs(250),
    )
  })
})

it('C12 the side of the user has prompts, summaries and notes, no instructions, answers or results', () => {
  const sides = (words: string) => history(words).map(isUserSide)
  expect(sides('user summary custom')).toEqual([true, true, true])
  expect(sides('system developer assistant result:a')).toEqual([false, false, false, false])
})

describe('C12 ids that a provider takes as they are', () => {
  const named = (id: string) => history(`user assistant:${id} result:${id}`, 100)
  it.each([
    ['toolu_01-Ab', 'anthropic', true],
    ['call.1', 'anthropic', false],
    ['a'.repeat(65), 'anthropic', false],
    ['call_1', 'google', false],
    ['abcdef123', 'mistral', true],
    ['abcdef12', 'mistral', false],
    ['call.1', 'openai', true],
    ['call.1', 'ollama', true],
    // Where none is known it may be one that is strict.
    ['call.1', null, false],
    ['call_1', null, true],
  ])('%s, by %s: %s', (id, provider, isTaken) => {
    expect(acceptsIds(named(id), provider)).toBe(isTaken)
  })
})
