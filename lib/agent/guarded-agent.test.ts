import { describe, expect, it } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { plainCallScope } from '../engine/jobs/call-scope'
import { CONTENT_FORM } from './content-form'
import { Conversation } from './conversation'
import { CallQueue, guardedAgent, SERVED } from './guarded-agent'
import type { LiveAgent } from './live-agent'

const talk = new Conversation()
const base: LiveAgent<ContentMessage> = {
  ...{ session: 's', getContext: talk.getContext, setContext: talk.setContext, form: CONTENT_FORM },
  clock: { now: () => 7 },
}

describe('D24 callbacks of an agent', () => {
  it('run in a scope with their name, with what they are given, and answer', async () => {
    const scope = plainCallScope()
    const reported: unknown[] = []
    const noted =
      (name: string) =>
      (...given: unknown[]) => {
        reported.push([name, scope.current(), given])
        return name as never
      }
    const agent = guardedAgent(
      {
        ...base,
        curate: noted('curate'),
        onFlush: noted('flush'),
        plan: noted('plan'),
        hooks: { run: noted('hooks') },
      } as unknown as LiveAgent<ContentMessage>,
      scope,
    )
    expect(await agent.curate?.('context' as never)).toBe('curate')
    expect(await agent.onFlush?.('prompt' as never)).toBe('flush')
    expect(await agent.plan?.()).toBe('plan')
    expect(await agent.hooks?.run('before', { a: 1 })).toBe('hooks')
    expect(reported).toEqual([
      ['curate', 'curate', ['context']],
      ['flush', SERVED, ['prompt']],
      ['plan', 'plan', []],
      ['hooks', 'hooks.run', ['before', { a: 1 }]],
    ])
    expect(scope.current()).toBeNull()
  })

  it('that are not there stay away; hooks are asked for their events, and may not say', () => {
    const plain = guardedAgent(base, plainCallScope())
    for (const name of ['curate', 'onFlush', 'plan', 'hooks'] as const) expect(plain[name]).toBeUndefined()
    const run = async () => []
    const silent = guardedAgent({ ...base, hooks: { run } }, plainCallScope())
    expect(silent.hooks?.has?.('before')).toBe(true)
    const telling = guardedAgent(
      { ...base, hooks: { run, has: (event) => event === 'after' } },
      plainCallScope(),
    )
    expect([telling.hooks?.has?.('before'), telling.hooks?.has?.('after')]).toEqual([false, true])
  })

  it('what an agent has from its class it keeps, with itself', async () => {
    class Agent {
      readonly session = 's'
      readonly form = CONTENT_FORM
      readonly clock = { now: () => 7 }
      private readonly own = 'own'
      getContext() {
        return []
      }
      setContext() {}
      plan() {
        return this.own as never
      }
      name() {
        return this.own
      }
    }
    const agent = guardedAgent<ContentMessage>(new Agent(), plainCallScope())
    expect(await agent.plan?.()).toBe('own')
    expect((agent as unknown as Agent).name()).toBe('own')
    expect(agent.session).toBe('s')
  })
})

describe('D24 where a call comes from', () => {
  it('is the innermost work that has not ended, also when that fails', async () => {
    const scope = plainCallScope()
    const seen: unknown[] = []
    await scope.run('outer', async () => {
      await scope
        .run('inner', async () => {
          seen.push(scope.current(), scope.isInside('outer'), scope.isInside('other'))
          throw new Error('no')
        })
        .catch(() => undefined)
      seen.push(scope.current(), scope.isInside('inner'))
    })
    expect(seen).toEqual(['inner', true, false, 'outer', false])
    expect(scope.current()).toBeNull()
  })
})

describe('D24 a call from a callback', () => {
  it('is served at once from the turn that saves memory, and refused from any other', async () => {
    const scope = plainCallScope()
    const queue = new CallQueue(scope)
    const from = (callback: string) =>
      queue.run(async () => scope.run(callback, async () => queue.run(async () => 'served')))
    expect(await from(SERVED)).toBe('served')
    await expect(from('curate')).rejects.toMatchObject({
      code: 'NESTED_CALL',
      message: expect.stringContaining('`curate`'),
    })
    expect(await queue.run(async () => 'later')).toBe('later')
  })
})

describe('a conversation in memory', () => {
  it('grows behind what is there, is replaced as a whole, and never in place', () => {
    const given: ContentMessage[] = [{ role: 'user', content: 'a' }]
    const held = new Conversation(given)
    given.push({ role: 'user', content: 'not mine' })
    const before = held.getContext()
    held.add({ role: 'user', content: 'b' }, { role: 'user', content: 'c' })
    expect(before).toHaveLength(1)
    expect(held.getContext().map(({ content }) => content)).toEqual(['a', 'b', 'c'])
    held.setContext([{ role: 'user', content: 'd' }])
    expect(held.getContext()).toEqual([{ role: 'user', content: 'd' }])
    expect(new Conversation().getContext()).toEqual([])
  })
})
