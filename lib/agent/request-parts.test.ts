import { describe, expect, it } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { type RequestParts, requestHistory, requestMessages } from './request-messages'

type Message = ContentMessage & { readonly name: string; readonly tokens: number }

const user = (name: string, tokens = 10): Message => ({ role: 'user', name, tokens, content: name })
const answer = (name: string, ...calls: string[]): Message => ({
  ...{ role: 'assistant', name, tokens: 10 },
  content: [
    { type: 'text', text: name },
    ...calls.map((id) => ({ type: 'toolCall', id, name: 'ls', arguments: {} })),
  ],
  ...(calls.length > 0 ? { calls: calls.map((id) => ({ id })) } : {}),
})
const thinking = (name: string): Message => ({
  ...answer(name),
  content: [
    { type: 'thinking', thinking: 'hm' },
    { type: 'text', text: name },
  ],
})
const result = (name: string, resultFor: string): Message => ({
  role: 'toolResult',
  name,
  tokens: 10,
  resultFor,
  content: name,
})
const names = (messages: readonly Message[]) => messages.map(({ name }) => name).join(' ')
const NO_PARTS: RequestParts<Message> = { instructions: [], summary: [], history: [], prompt: [] }

describe('C1 C14 the history that a request has room for', () => {
  const limited = (parts: Partial<RequestParts<Message>>, budget: number | null, sendThinking = false) =>
    requestHistory(
      { ...NO_PARTS, ...parts },
      { history: DEFAULT_POLICY.history, sendThinking, key: null, budget, tokensOf: ({ tokens }) => tokens },
    )
  const history = [user('a'), answer('b'), user('c'), answer('d')]

  it('is all of it, without a limit or within it', () => {
    expect(names(limited({ history }, null).messages)).toBe('a b c d')
    expect(names(limited({ history, prompt: [user('p')] }, 50).messages)).toBe('a b c d')
  })

  it('summary and prompt take room of it', () => {
    expect(names(limited({ history, prompt: [user('p')] }, 49).messages)).toBe('c d')
    expect(names(limited({ history, summary: [user('s')], prompt: [user('p')] }, 59).messages)).toBe('c d')
    expect(names(limited({ history, summary: [user('s')], prompt: [user('p')] }, 60).messages)).toBe(
      'a b c d',
    )
    expect(names(limited({ history, prompt: [user('p', 500)] }, 60).messages)).toBe('')
  })

  it('the last thing that was asked before is protected only where the prompt asks nothing', () => {
    const large = [user('a', 500)]
    expect(names(limited({ history: large, prompt: [answer('n')] }, 60).messages)).toBe('a')
    expect(names(limited({ history: large, prompt: [answer('n'), user('p')] }, 60).messages)).toBe('')
  })

  it('results that the prompt brings belong to the turn that runs, and are no history', () => {
    const running = [...history, user('e'), answer('f', 'x')]
    const kept = limited({ history: running, prompt: [result('r', 'x')] }, 30)
    expect(names(kept.messages)).toBe('e f')
    const both = limited({ history: running, prompt: [result('r', 'x'), user('p')] }, null)
    expect(names(both.messages)).toBe('a b c d e f')
  })

  it('thinking stays behind unless it is to be sent, but for the turn that runs', () => {
    const thought = [user('a'), thinking('b'), user('c')]
    const blocks = (messages: readonly Message[]) => {
      const content = messages[1]?.content
      return Array.isArray(content) ? content.length : null
    }
    expect(blocks(limited({ history: thought }, null).messages)).toBe(1)
    expect(blocks(limited({ history: thought }, null, true).messages)).toBe(2)
    expect(names(limited({ history: thought, prompt: [user('p')] }, null).messages)).toBe('a b c')
  })
})

describe('C8 C13 the messages of a request', () => {
  const gapFor = (_call: Message, id: string): Message => result(`gap ${id}`, id)
  const placed = (
    parts: Partial<RequestParts<Message>>,
    form: Parameters<typeof requestMessages<Message>>[1] = { gapFor },
  ) => {
    const { messages, warnings } = requestMessages<Message>({ ...NO_PARTS, ...parts }, form, null)
    return { order: messages.map(({ slot, message }) => `${slot} ${message.name}`), warnings }
  }

  it('instructions first, then summary, history and prompt', () => {
    const parts = {
      instructions: [user('i')],
      summary: [user('s')],
      history: [user('h'), answer('a')],
      prompt: [user('p')],
    }
    expect(placed(parts)).toEqual({
      order: ['system i', 'summary s', 'history h', 'history a', 'prompt p'],
      warnings: [],
    })
  })

  it('each result right behind its call, whichever part it came with', () => {
    const { order, warnings } = placed({
      history: [user('h'), answer('a', 'x')],
      prompt: [result('r', 'x'), user('p')],
    })
    expect(order).toEqual(['history h', 'history a', 'prompt r', 'prompt p'])
    expect(warnings).toEqual([])
  })

  it('a result without its call is left out, a call without one gets a result in its place; both are said', () => {
    const history = [user('h'), result('o', 'none'), result('q', 'gone'), answer('a', 'x', 'y'), user('n')]
    const { order, warnings } = placed({ history })
    expect(order).toEqual(['history h', 'history a', 'history gap x', 'history gap y', 'history n'])
    expect(warnings).toEqual([
      '2 tool results were left out: their calls are not in the request.',
      '2 tool calls have no result (x, y); the request says so in its place.',
    ])
    const many = placed({ history: [answer('a', '1', '2', '3', '4'), user('n')] })
    expect(many.warnings).toEqual([
      '4 tool calls have no result (1, 2, 3); the request says so in its place.',
    ])
  })

  it('what is made is in the form of the messages around it', () => {
    const said = { ...user('h'), content: undefined, id: 'm1', parts: [{ type: 'text', text: 'h' }] }
    const { messages } = requestMessages<Message>(
      { ...NO_PARTS, summary: [user('s')], history: [said] },
      { gapFor },
      null,
    )
    const [summary, history] = messages.map(({ message }) => message)
    expect(summary).toMatchObject({ name: 's', parts: [{ type: 'text', text: 's' }] })
    expect(summary?.content).toBeUndefined()
    expect(history).toBe(said)
  })

  it('where nothing can take the place of a result, nothing does', () => {
    const history = [user('h'), answer('a', 'x'), user('n')]
    const none = placed({ history }, {})
    expect(none.order.join()).not.toContain('gap')
    expect(placed({ history }, { gapFor: () => null }).order).toEqual(none.order)
  })
})
