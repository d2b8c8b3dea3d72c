import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSessionKey, stripThread } from './session-key'

const telegram = { agent: 'harbour', channel: 'telegram', account: null, peer: '4711', thread: null }

describe('session keys', () => {
  it('C5 reads agent, channel, kind and peer; dm and direct are the same', () => {
    expect(parseSessionKey('agent:harbour:telegram:direct:4711')).toEqual({ kind: 'direct', ...telegram })
    expect(parseSessionKey('agent:harbour:telegram:dm:4711')).toEqual({ kind: 'direct', ...telegram })
    expect(parseSessionKey('agent:harbour:telegram:group:4711')).toEqual({ kind: 'group', ...telegram })
    expect(parseSessionKey('agent:harbour:telegram:channel:4711')).toEqual({ kind: 'channel', ...telegram })
    expect(parseSessionKey('AGENT:harbour:telegram:DM:4711')).toEqual({ kind: 'direct', ...telegram })
    expect(parseSessionKey('telegram:dm:4711')).toEqual({ kind: 'direct', ...telegram, agent: null })
  })

  it('C5 reads an account before the kind, and peers with colons in them', () => {
    expect(parseSessionKey('agent:harbour:telegram:second:direct:4711')).toEqual({
      kind: 'direct',
      ...telegram,
      account: 'second',
    })
    expect(parseSessionKey('agent:a:matrix:group:!room:sea.example')).toMatchObject({
      channel: 'matrix',
      account: null,
      peer: '!room:sea.example',
    })
    // The kind right after the channel counts, even if the peer's id looks like another one.
    expect(parseSessionKey('agent:a:matrix:direct:group:5')).toMatchObject({
      kind: 'direct',
      account: null,
      peer: 'group:5',
    })
    expect(parseSessionKey('agent:a:direct:4711')).toMatchObject({
      kind: 'direct',
      channel: null,
      peer: '4711',
    })
  })

  it('C5 passes over blanks around a key and its words', () => {
    expect(parseSessionKey(' agent: harbour :main ')).toEqual({
      ...{ kind: 'own', agent: 'harbour', name: 'main', thread: null },
    })
    expect(parseSessionKey('agent:harbour:telegram: DM :4711')).toEqual({ kind: 'direct', ...telegram })
  })

  it('C5 reads a key of 1024 characters, and none that is longer', () => {
    const key = 'agent:a:'.padEnd(1024, 'x')
    expect(parseSessionKey(key)).toMatchObject({ kind: 'own', name: 'x'.repeat(1016) })
    expect(parseSessionKey(`${key}x`)).toBeNull()
  })

  it('C4 sets thread and topic apart', () => {
    expect(parseSessionKey('agent:harbour:telegram:direct:4711:thread:123')).toEqual({
      kind: 'direct',
      ...telegram,
      thread: '123',
    })
    expect(parseSessionKey('agent:harbour:telegram:group:4711:topic:9:thread:1700000000.0001')).toEqual({
      kind: 'group',
      ...telegram,
      thread: '1700000000.0001',
    })
    expect(parseSessionKey('agent:a:main:thread:5')).toEqual({
      kind: 'own',
      agent: 'a',
      name: 'main',
      thread: '5',
    })
    expect(stripThread('agent:a:slack:channel:c1:thread:')).toEqual({
      base: 'agent:a:slack:channel:c1:thread:',
      thread: null,
    })
  })

  it('C5 knows sessions that no person leads, and those of the owner', () => {
    expect(parseSessionKey('cron:nightly')).toEqual({ kind: 'cron', agent: null })
    expect(parseSessionKey('agent:a:cron:nightly:run:1')).toEqual({ kind: 'cron', agent: 'a' })
    expect(parseSessionKey('hook:0b72cf11')).toEqual({ kind: 'hook', agent: null })
    expect(parseSessionKey('agent:a:subagent:7f:thread:1')).toEqual({ kind: 'subagent', agent: 'a' })
    expect(parseSessionKey('global')).toEqual({ kind: 'global', agent: null })
    expect(parseSessionKey('unknown')).toEqual({ kind: 'unknown', agent: null })
    expect(parseSessionKey('agent:a:main')).toMatchObject({ kind: 'own', name: 'main' })
    expect(parseSessionKey('main')).toMatchObject({ kind: 'own', agent: null })
    expect(parseSessionKey('agent:a:dashboard:7f')).toMatchObject({ kind: 'own', name: 'dashboard:7f' })
  })

  it.each([
    '',
    ' ',
    ':',
    'agent',
    'agent:',
    'agent:a',
    'agent:a:',
    'agent::telegram:direct:5',
    'agent:a::direct:5',
    'agent:a:group:5',
    'agent:a:telegram:direct',
    'agent:a:telegram:direct:',
    'agent:a:telegram:direct: ',
    'agent:a:telegram::direct:5',
    'agent:a:telegram: :direct:5',
    'hello',
    'telegram:4711',
    'direct:4711',
    `agent:a:telegram:direct:${'9'.repeat(2000)}`,
  ])('C5 %j is no key', (key) => {
    expect(parseSessionKey(key)).toBeNull()
  })

  it('C4 C5 never throws, and threads change nothing but the thread', () => {
    const id = fc.stringMatching(/^[\w+@.!-]{1,12}$/)
    fc.assert(
      fc.property(
        id,
        id,
        fc.constantFrom('direct', 'dm', 'group', 'channel'),
        id,
        fc.constantFrom('thread', 'topic'),
        (agent, channel, kind, peer, word) => {
          const key = `agent:${agent}:${channel}:${kind}:${peer}`
          const plain = parseSessionKey(key)
          expect(parseSessionKey(`${key}:${word}:7`)).toEqual(
            plain === null || !('thread' in plain) ? plain : { ...plain, thread: '7' },
          )
        },
      ),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ':', ' ', 'dm', 'agent', 'topic') }), (key) => {
        parseSessionKey(key)
      }),
    )
  })
})
