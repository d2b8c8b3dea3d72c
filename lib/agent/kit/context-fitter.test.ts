import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { createContext } from './create-context'

const say = (role: string, content: string): ContentMessage => ({ role, content })
const ASK = say('user', 'Which berth is free?')
const INSTRUCTIONS = say('system', 'You keep the log.')

/** So many turns of a question and an answer of so many words. */
const talk = (turns: number, words = 300) =>
  Array.from({ length: turns }, (_, at) => [
    say('user', `Where does ship ${at} lie?`),
    say('assistant', `Ship ${at}: ${'berth crane ledger '.repeat(words / 3)}`),
  ]).flat()

const small = (more: Partial<Parameters<typeof createContext>[0]> = {}) =>
  createContext({ model: 'claude-sonnet-4-5', window: 32_000, ...more })

describe('V2 the system prompt of a context', () => {
  const AGENTS = '# Agent\n\nNever open berth 9.\n'

  test('has the files of a workspace where that alone is given', async () => {
    const files = [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text: AGENTS }]
    const context = small({ workspace: { snapshot: async () => ({ files, daily: [], memory: '' }) } })
    const { system, messages } = await context.fit([ASK])
    expect(system).toContain('Never open berth 9.')
    expect(messages).toEqual([ASK])
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

  test('is empty where nothing of that is given', async () => {
    expect((await small().fit([ASK])).system).toBe('')
  })
})

describe('V2 reports of a provider', () => {
  test('that come before the first request are about no conversation that is known here', async () => {
    const context = small()
    context.report({ prompt: 30_000, output: 10 })
    const { done } = await context.fit(talk(3))
    const { done: without } = await small().fit(talk(3))
    expect(done.before).toEqual(without.before)
    expect(done.steps).toEqual([])
  })
})

describe('V2 another conversation', () => {
  test('is said to be one by its first message that is another one, instructions in front counted', async () => {
    const context = small()
    const messages = talk(60)
    expect((await context.fit([INSTRUCTIONS, ...messages, ASK])).done.steps).toContain('compact')
    const other = [...messages.slice(0, 2), say('user', 'Something else.'), ...messages.slice(3)]
    const { done } = await context.fit([INSTRUCTIONS, ...other, ASK])
    expect(done.warnings).toEqual([
      expect.stringMatching(/^Message 3 is another one than in the call before/),
    ])
  })

  test('needs no word where nothing has left the one before', async () => {
    const context = small()
    await context.fit([...talk(3), ASK])
    const { done, messages } = await context.fit([say('user', 'Something else.')])
    expect(done.warnings).toEqual([])
    expect(messages).toEqual([say('user', 'Something else.')])
  })

  test('is none where the same one goes on, and nothing is said', async () => {
    const context = small()
    const messages = [...talk(60), ASK]
    const first = await context.fit(messages)
    expect(first.done.steps).toContain('compact')
    const { done } = await context.fit([...messages, say('assistant', 'Berth 4.'), say('user', 'Thanks.')])
    expect(done.warnings).toEqual([])
  })
})
