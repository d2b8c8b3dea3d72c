import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy } from '../policy/policy'
import { resolveTurnLimit } from './turn-limit'

const history: Policy['history'] = {
  ...DEFAULT_POLICY.history,
  channels: {
    telegram: { dmTurns: 50, groupTurns: 30, users: { '4711': 5, Free: 0 } },
    discord: { dmTurns: null, groupTurns: 20, users: {} },
  },
}
const turns = (key: string | null, from = history) => resolveTurnLimit(from, key).turns

describe('turn limits', () => {
  it('C2 the rule for a person beats that for direct messages; groups and channels have their own', () => {
    expect(resolveTurnLimit(history, 'agent:a:telegram:direct:4711')).toEqual({
      turns: 5,
      rule: 'user',
      path: 'history.channels.telegram.users.4711',
    })
    expect(resolveTurnLimit(history, 'agent:a:telegram:direct:99')).toEqual({
      turns: 50,
      rule: 'direct',
      path: 'history.channels.telegram.dmTurns',
    })
    expect(resolveTurnLimit(history, 'agent:a:telegram:group:4711')).toEqual({
      turns: 30,
      rule: 'group',
      path: 'history.channels.telegram.groupTurns',
    })
    expect(turns('agent:a:telegram:channel:99')).toBe(30)
    expect(turns('agent:a:discord:direct:99')).toBeNull()
    expect(turns('agent:a:signal:direct:4711')).toBeNull()
  })

  it('C2 falls back on the general limit, and a rule of 0 lifts it', () => {
    const limited = { ...history, maxTurns: 12 }
    expect(resolveTurnLimit(limited, 'agent:a:discord:direct:99')).toEqual({
      turns: 12,
      rule: 'general',
      path: 'history.maxTurns',
    })
    expect(turns('agent:a:signal:group:1', limited)).toBe(12)
    expect(turns('agent:a:main', limited)).toBe(12)
    expect(turns('agent:a:direct:4711', limited)).toBe(12)
    expect(turns(null, limited)).toBe(12)
    expect(resolveTurnLimit(limited, 'agent:a:telegram:direct:free')).toMatchObject({
      turns: null,
      rule: 'user',
    })
    expect(resolveTurnLimit({ ...limited, maxTurns: 0 }, null)).toMatchObject({
      turns: null,
      rule: 'general',
    })
  })

  it('C3 the alias historyTurns 50, as the readers of configuration hand it over, limits to 50', () => {
    const alias = { ...history, channels: { telegram: { dmTurns: 50, groupTurns: 50, users: {} } } }
    expect(turns('agent:a:telegram:direct:4711', alias)).toBe(50)
    expect(turns('agent:a:telegram:group:4711', alias)).toBe(50)
  })

  it('C4 threads and topics have the limit of their conversation', () => {
    for (const suffix of ['', ':thread:123', ':topic:9', ':topic:9:thread:123', ':THREAD:1']) {
      expect(turns(`agent:a:telegram:direct:4711${suffix}`)).toBe(5)
      expect(turns(`agent:a:telegram:group:4711${suffix}`)).toBe(30)
    }
  })

  it('C5 dm and direct are equal, accounts too; what no person leads and bad keys have no limit', () => {
    expect(turns('agent:a:telegram:dm:4711')).toBe(5)
    expect(turns('agent:a:telegram:second:direct:4711')).toBe(5)
    expect(turns('agent:a:Telegram:direct:4711')).toBe(5)
    const limited = { ...history, maxTurns: 12 }
    for (const key of [
      'cron:nightly',
      'agent:a:cron:x',
      'hook:1',
      'agent:a:subagent:1',
      'global',
      'unknown',
    ]) {
      expect(turns(key, limited)).toBeNull()
    }
    for (const key of ['', 'nonsense', 'agent:a', 'agent:a:telegram:direct:', '::::']) {
      expect(turns(key, limited)).toBeNull()
    }
  })

  it('C2 a name as it is written is before one in another case', () => {
    const users = { free: 1, Free: 2 }
    const both = { ...history, channels: { telegram: { dmTurns: 50, groupTurns: 30, users } } }
    expect(turns('agent:a:telegram:direct:Free', both)).toBe(2)
    expect(turns('agent:a:telegram:direct:free', both)).toBe(1)
    expect(turns('agent:a:telegram:direct:FREE', both)).toBe(1)
  })

  it('C2 a rule for the name null is not one for whoever has no name or no rule', () => {
    const rules = { dmTurns: 50, groupTurns: 30, users: { null: 1 } }
    const odd = { ...history, channels: { telegram: rules, null: rules } }
    expect(turns('agent:a:telegram:direct:4711', odd)).toBe(50)
    expect(turns('agent:a:direct:4711', odd)).toBeNull()
  })

  it('C2 names that objects inherit are no rules', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(turns(`agent:a:telegram:direct:${name}`)).toBe(50)
      expect(turns(`agent:a:${name}:direct:1`)).toBeNull()
    }
  })
})
