import { describe, expect, it } from 'vitest'
import { readPolicy } from './read-policy'
import { parseSource } from './source-tree'

const read = (text: string) => {
  const { patch, preset, overrides, places, problems } = readPolicy(parseSource(text, 'plimsoll.yaml'))
  const said = problems.map(({ severity, line, column, key }) => `${severity} ${line}:${column} ${key}`)
  return { patch, preset, overrides, places, said, messages: problems.map(({ message }) => message) }
}

describe('X9 overrides of our own file', () => {
  it('are about a store, an agent, a channel, a model or a session, in their order', () => {
    const keys = ['store', 'agent', 'channel', 'model', 'session']
    const text = keys.map((key) => `  - ${key}: "x*"\n    policy: { reserve: { tokens: 5 } }\n`).join('')
    const { overrides, patch, places, said } = read(`overrides:\n${text}`)
    expect(said).toEqual([])
    const placed = (i: number) => ({
      'reserve.tokens': {
        key: `overrides[${i}].policy.reserve.tokens`,
        line: 3 + 2 * i,
        file: 'plimsoll.yaml',
      },
    })
    expect(overrides).toEqual(
      keys.map((key, i) => ({ key, match: 'x*', patch: { reserve: { tokens: 5 } }, places: placed(i) })),
    )
    // They say nothing of the whole.
    expect([patch, places]).toEqual([{}, {}])
  })

  it.each<[string, string, string]>([
    ['two things', '  - agent: a\n    model: b\n    policy: {}\n', 'error 2:5 overrides[0]'],
    ['nothing', '  - policy: {}\n', 'error 2:5 overrides[0]'],
    ['a name that is no text', '  - agent: 5\n    policy: {}\n', 'error 2:5 overrides[0]'],
    ['a list of names', '  - agent: [a]\n    policy: {}\n', 'error 2:5 overrides[0]'],
    ['no policy', '  - agent: a\n', 'error 2:5 overrides[0]'],
    ['a policy that is no group', '  - agent: a\n    policy: 5\n', 'error 3:13 overrides[0].policy'],
    ['text', '  - a\n', 'error 2:5 overrides[0]'],
  ])('are named where one is about %s', (_name, text, said) => {
    const more = '  - agent: b\n    policy: { reserve: { tokens: 5 } }\n'
    const found = read(`overrides:\n${text}${more}`)
    expect(found.said).toEqual([said])
    const line = `overrides:\n${text}${more}`.split('\n').length - 1
    const places = {
      'reserve.tokens': { key: 'overrides[1].policy.reserve.tokens', line, file: 'plimsoll.yaml' },
    }
    const patch = { reserve: { tokens: 5 } }
    expect(found.overrides).toContainEqual({ key: 'agent', match: 'b', patch, places })
  })

  it('are a list', () => {
    expect(read('overrides:\n  agent: a\n').said).toEqual(['error 2:3 overrides'])
    expect(read('policy: {}\noverrides:\n').said).toEqual(['error 2:11 overrides'])
  })

  it('name values and no preset, which is for the whole file', () => {
    const text = 'overrides:\n  - agent: a\n    policy: { preset: vs7, reserve: { tokens: 5 } }\n'
    const { preset, overrides, said, messages } = read(text)
    expect(preset).toBeNull()
    expect(said).toEqual(['error 3:15 overrides[0].policy.preset'])
    expect(messages[0]).toMatch(/whole file/)
    expect(overrides[0]?.patch).toEqual({ reserve: { tokens: 5 } })
  })

  it('a bad value in one is named with its key, and the others of it count', () => {
    const text =
      'overrides:\n  - agent: a\n    policy:\n      reserve: { tokens: -1, floor: 5 }\n      hull: 1\n'
    const { overrides, said } = read(text)
    expect(said).toEqual([
      'error 4:26 overrides[0].policy.reserve.tokens',
      'warning 5:7 overrides[0].policy.hull',
    ])
    expect(overrides[0]?.patch).toEqual({ reserve: { floor: 5 } })
  })
})

describe('X8 the policy of our own file', () => {
  it('says where each of its values is', () => {
    const { patch, places } = read(
      'policy:\n  window:\n    byModel:\n      gpt-4.1: 5\n  reserve: { tokens: 6 }\n',
    )
    expect(patch).toEqual({ window: { byModel: { 'gpt-4.1': 5 } }, reserve: { tokens: 6 } })
    expect(places).toEqual({
      'window.byModel.gpt-4\\.1': { key: 'policy.window.byModel.gpt-4.1', line: 4, file: 'plimsoll.yaml' },
      'reserve.tokens': { key: 'policy.reserve.tokens', line: 5, file: 'plimsoll.yaml' },
    })
  })

  it('says nothing of what only files of others have', () => {
    expect(readPolicy(parseSource('policy: {}\n', 'x.yaml'))).toStrictEqual({
      ...{ format: 'plimsoll', label: 'Plimsoll settings', preset: null, patch: {} },
      ...{ overrides: [], places: {}, problems: [] },
    })
  })

  it('builds on a preset that exists', () => {
    expect(read('policy: { preset: memfas }\n').preset).toBe('memfas')
    expect(read('policy: { preset: [memfas] }\n')).toMatchObject({
      preset: null,
      said: ['error 1:19 policy.preset'],
    })
  })

  it.each(['policy: 5\n', 'policy: []\n', 'policy:\n'])('%j is no group of settings', (text) => {
    expect(read(text).said[0]).toMatch(/^error 1:\d+ policy$/)
  })

  it('a file that is a list, or a text, holds no settings', () => {
    expect(readPolicy(parseSource('- a\n', 'x.yaml'))).toMatchObject({
      ...{ format: 'unknown', label: 'unknown' },
      problems: [{ severity: 'error', line: 1, key: '' }],
    })
  })

  it('an empty one, and one of something else, are distinguished', () => {
    const named = (text: string) => {
      const { format, label } = readPolicy(parseSource(text, 'x.yaml'))
      return [format, label]
    }
    expect(named('')).toEqual(['empty', 'empty file'])
    expect(named('x: 1\n')).toEqual(['none', 'no context settings'])
    expect(named('policy: {}\n')).toEqual(['plimsoll', 'Plimsoll settings'])
    expect(named('overrides: []\n')).toEqual(['plimsoll', 'Plimsoll settings'])
    const both = 'agents: { defaults: { contextManagement: { enabled: true }, contextTokens: 5 } }\n'
    expect(named(both)).toEqual(['vs7', 'VS7 context management, OpenClaw or GoClaw configuration'])
  })
})
