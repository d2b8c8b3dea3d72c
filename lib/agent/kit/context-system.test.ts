import { describe, expect, test, vi } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { workspaceFile } from '../../testing/builders/workspace'
import type { ContextOptions } from './context-options'
import { createContext } from './create-context'

const say = (role: string, content: string): ContentMessage => ({ role, content })
const ASK = say('user', 'Which berth is free?')

const small = (more: Partial<ContextOptions> = {}) =>
  createContext({ model: 'claude-sonnet-4-5', window: 32_000, ...more })

describe('V2 the system prompt of a context', () => {
  const AGENTS = '# Agent\n\nNever open berth 9.\n'
  /** A workspace with one file. */
  const workspaceOf = (textNow: () => string) => ({
    snapshot: async () => ({
      files: [workspaceFile('AGENTS.md', textNow())],
      daily: [],
      memory: '',
    }),
  })

  test('has the files of a workspace where that alone is given', async () => {
    const context = small({ workspace: workspaceOf(() => AGENTS) })
    const { system, messages } = await context.fit([ASK])
    expect(system).toContain('Never open berth 9.')
    expect(system).toMatch(/^\S/)
    expect(messages).toEqual([ASK])
  })

  test('has them as they are now, also where nothing was said since; a list that is the same is not worked on', async () => {
    let text = AGENTS
    const context = small({ workspace: workspaceOf(() => text) })
    const climbs = vi.spyOn(context.manager, 'beforeResponse')
    await context.fit([ASK])
    expect((await context.fit([ASK])).system).toContain('Never open berth 9.')
    expect(climbs).toHaveBeenCalledTimes(1)
    text = '# Agent\n\nBerth 9 is free again.\n'
    const { system, messages } = await context.fit([ASK])
    expect(system).toContain('Berth 9 is free again.')
    expect(system).not.toContain('Never open berth 9.')
    expect(messages).toEqual([ASK])
    expect((await context.fit([ASK])).system).toBe(system)
    expect(climbs).toHaveBeenCalledTimes(2)
  })

  test('has them as they are now, whoever else has made a request since they changed', async () => {
    let text = AGENTS
    const context = small({ workspace: workspaceOf(() => text) })
    await context.fit([ASK])
    text = 'Berth 9 is free again.'
    await context.manager.request({ parts: { identity: '' }, prompt: [] })
    expect((await context.fit([ASK])).system).toContain(text)
  })

  test('has what a search of memory finds where that alone is given', async () => {
    const piece = {
      ...{ source: 'memory/2026-11-20.md', text: 'Berth 4 is free on Mondays.' },
      ...{ score: 0.9, line: 1, at: null },
    }
    const asked: string[] = []
    const context = small({
      policy: { semantic: { enabled: true } },
      search: {
        refresh: async () => ({ problems: [], notes: [] }),
        search: (query: string) => {
          asked.push(query)
          return [piece]
        },
      } as never,
    })
    await context.fit([ASK])
    expect(asked).toEqual([ASK.content])
  })

  test('says of nothing that it was changed where all messages are sent as they are', async () => {
    const context = small({ workspace: { snapshot: async () => ({ files: [], daily: [], memory: '' }) } })
    const open = { type: 'tool_use', id: 'c1', name: 'read', input: {} }
    const list: object[] = [
      ASK,
      { role: 'assistant', content: [open] },
      ASK,
      say('assistant', 'Berth 4.'),
      ASK,
    ]
    const { messages, done } = await context.fit(list)
    expect(messages).toEqual(list)
    expect(done.warnings).toEqual([])
  })

  test('says from the first request on where a memory is to be searched that is not there', async () => {
    const { done } = await small({ policy: { semantic: { enabled: true } } }).fit([ASK])
    expect(done.warnings).toEqual([expect.stringContaining('no memory to search')])
  })

  test('is empty where nothing of that is given', async () => {
    expect((await small().fit([ASK])).system).toBe('')
  })
})

describe('V2 a policy that asks the agent itself to save its memory', () => {
  test.each(['system', 'user'] as const)(
    'does so with the request that is due, in the name of: %s',
    async (delivery) => {
      const context = small({
        policy: { lines: { flush: { enabled: true } }, flush: { delivery: [delivery] } },
      })
      const all = Array.from({ length: 50 }, (_, at) => [
        say('user', `Where does ship ${at} lie?`),
        say('assistant', `Ship ${at}: ${'berth crane ledger '.repeat(100)}`),
      ]).flat()
      let asked = 0
      for (let end = 1; asked === 0 && end < all.length; end += 2) {
        const { messages, system, done } = await context.fit(all.slice(0, end))
        if (!done.steps.includes('flush')) continue
        asked += 1
        expect(done.steps).not.toContain('compact')
        const [text, other] = delivery === 'system' ? [system, messages] : [JSON.stringify(messages), system]
        expect(text).toContain('Your context is filling up')
        expect(other).toEqual(delivery === 'system' ? all.slice(0, end) : '')
      }
      expect(asked).toBe(1)
    },
  )
})
