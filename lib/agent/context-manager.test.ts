import { describe, expect, it } from 'vitest'
import type { BootstrapHook } from '../core/bootstrap/hooks'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { measured } from '../core/tokens/figure'
import { ContextManager } from './context-manager'
import type { ContextManagerOptions } from './manager-options'

type Message = ContentMessage & { readonly tokens: number; readonly text?: string }

const VS7 = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }]).policy

const user = (tokens: number, text = ''): Message => ({ role: 'user', tokens, text })
const assistant = (tokens: number, calls: string[] = []): Message => ({
  role: 'assistant',
  tokens,
  calls: calls.map((id) => ({ id })),
})
const result = (id: string, tokens: number): Message => ({ role: 'toolResult', resultFor: id, tokens })

function manager(over: Partial<ContextManagerOptions<Message>> = {}) {
  return new ContextManager<Message>({
    policy: DEFAULT_POLICY,
    window: 100_000,
    key: null,
    tokensOf: (message) => message.tokens,
    promptCache: null,
    ...over,
  })
}

const workspace = (text: string) => ({
  snapshot: async () => ({
    files: [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text }],
    daily: [],
    memory: '',
  }),
})

const PARTS = { identity: 'You keep the harbour log.' }

describe('ContextManager', () => {
  it('B5 reports another count after each message, and starts over on a recount', () => {
    const live = manager()
    expect([live.add(user(10)), live.add(assistant(20)), live.tokens]).toEqual([10, 30, 30])
    expect(live.recount([user(5)])).toBe(5)
  })

  it('B4 a huge new prompt reaches the line before it is sent, and what is shown stays without margin (B3)', () => {
    const live = manager()
    live.add(user(10_000))
    expect(live.check().reached).toEqual([])
    const check = live.check([user(40_000)])
    expect(check.reached.map((line) => line.kind)).toContain('compact')
    expect(check.tokens).toMatchObject({ value: 10_000, basis: 'estimated' })
    expect(check.decided).toBe(60_000)
    expect(check.next?.kind).toBe('slide')
  })

  it('a provider’s own figure beats the running count', () => {
    const live = manager()
    live.add(user(90_000))
    expect(live.check([], measured(20_000))).toMatchObject({ decided: 20_000, tokens: { value: 20_000 } })
  })

  it('A13 a context that grows message by message passes the whole ladder in order, and the hard line last', () => {
    const live = manager({ window: 200_000 })
    const passed: string[] = []
    let hardAt = 0
    for (let i = 0; i < 200; i++) {
      live.add(user(1000))
      for (const { name } of live.check([], measured(live.tokens)).reached) {
        if (!passed.includes(name)) passed.push(name)
        if (name === 'hard') hardAt ||= live.tokens
      }
    }
    expect(passed).toEqual([
      ...['checkpoint .25', 'curate', 'compact', 'checkpoint .50', 'flush .50', 'slide'],
      ...['checkpoint .75', 'flush .75', 'hard'],
    ])
    expect(hardAt).toBe(170_000)
  })

  it('A13 what is over the hard line stays so until the count is taken anew after a compaction', () => {
    const live = manager({ window: 200_000 })
    live.recount([user(180_000)])
    const kinds = () => live.check([], measured(live.tokens)).reached.map((line) => line.kind)
    expect(kinds()).toContain('hard')
    live.recount([user(171_000)])
    expect(kinds()).toContain('hard')
    live.recount([user(169_000)])
    expect(kinds()).not.toContain('hard')
  })

  it('A9 A14 says when a window is too small, and what may still be added', () => {
    expect(manager({ window: 15_000 }).check().window).toBe('block')
    const live = manager()
    live.add(user(30_000))
    expect(live.check().available).toBe(40_000)
  })

  it('O1 C13 C14 sends workspace files as they are now, then summary, history and prompt', async () => {
    let text = 'Moor at berth 4.'
    const live = manager({ promptCache: { snapshot: () => workspace(text).snapshot() } })
    const input = {
      parts: PARTS,
      summary: [user(5, 'summary')],
      history: [user(1), assistant(1)],
      prompt: [user(2)],
    }
    const first = await live.request(input)
    expect(first.system.text).toContain('Moor at berth 4.')
    expect(first.messages.map((placed) => placed.slot)).toEqual(['summary', 'history', 'history', 'prompt'])
    text = 'Moor at berth 9.'
    expect((await live.request(input)).system.text).toContain('Moor at berth 9.')
  })

  it('A5 gives history what files and system prompt leave, summary and prompt charged to it', async () => {
    const live = manager({ policy: VS7, window: 200_000, countText: (text) => Math.ceil(text.length / 4) })
    const turns = Array.from({ length: 100 }, () => [user(1000), assistant(1000)]).flat()
    const request = await live.request({ parts: PARTS, history: turns, prompt: [user(500)] })
    const budget = request.budget?.clamped ?? 0
    expect(budget).toBeGreaterThan(150_000)
    expect(request.history.tokens).toBeLessThanOrEqual(budget - 500)
    expect(request.history.tokens).toBeGreaterThan(budget - 500 - 2000)
  })

  it('A1 with the budget off limits by turns alone', async () => {
    const policy: Policy = { ...DEFAULT_POLICY, history: { ...DEFAULT_POLICY.history, maxTurns: 2 } }
    const turns = Array.from({ length: 5 }, () => [user(1), assistant(1)]).flat()
    const { history, budget } = await manager({ policy }).request({
      parts: PARTS,
      history: turns,
      prompt: [user(1)],
    })
    expect(budget).toBeNull()
    expect(history.messages.filter((message) => message.role === 'user')).toHaveLength(2)
  })

  it('C8 never sends a result without its call, whatever is cut', async () => {
    const live = manager({ policy: VS7, window: 20_000 })
    const history = [
      user(1),
      assistant(10, ['a', 'b']),
      result('a', 6000),
      result('b', 6000),
      assistant(10),
      user(10),
    ]
    const request = await live.request({ parts: PARTS, history, prompt: [user(10)] })
    expect(findUnpaired(request.messages.map((placed) => placed.message)).orphans).toEqual([])
  })

  it('O2 cuts workspace files to the bootstrap region and says so', async () => {
    const policy: Policy = { ...VS7 }
    const live = manager({ policy, window: 20_000, promptCache: workspace('x'.repeat(50_000)) })
    const request = await live.request({ parts: PARTS, history: [], prompt: [user(1)] })
    expect(request.bootstrap.chars).toBeLessThanOrEqual(8000)
    expect(request.warnings[0]).toMatch(/AGENTS\.md is cut/)
  })

  it('T7 a hook that rejects costs a warning, and one that answers later has its say', async () => {
    const hooks: BootstrapHook[] = [
      async () => {
        await Promise.resolve()
        throw new Error('no berth')
      },
      async (files) => files.map((file) => ({ ...file, text: 'later' })),
    ]
    const live = manager({ promptCache: workspace('text'), hooks })
    const request = await live.request({ parts: PARTS, history: [], prompt: [user(1)] })
    expect(request.system.text).toContain('later')
    expect(request.warnings.join()).toContain('no berth')
  })

  it('M15 details of results are in no request and no count, and stay in the conversation', async () => {
    const details = { token: 'sk-details-0123456789' }
    const answered = (id: string) => ({ ...result(id, 9), details })
    const history = [user(1), assistant(2, ['a']), answered('a'), assistant(2, ['b'])]
    const counted: Message[] = []
    const live = manager({
      tokensOf: (message) => {
        counted.push(message)
        return message.tokens
      },
    })
    const request = await live.request({ parts: PARTS, history, prompt: [answered('b')] })
    expect(request.messages).toHaveLength(5)
    expect(JSON.stringify([request, counted])).not.toContain(details.token)
    expect(history[2]).toHaveProperty('details', details)
  })

  it('V4 a hook that fails costs a warning, not the turn', async () => {
    const hooks = [
      () => {
        throw new Error('no berth')
      },
    ]
    const live = manager({ promptCache: workspace('text'), hooks })
    const request = await live.request({ parts: PARTS, history: [], prompt: [user(1)] })
    expect(request.system.text).toContain('text')
    expect(request.warnings.join()).toMatch(/no berth/)
  })
})
