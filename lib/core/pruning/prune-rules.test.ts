import { describe, expect, it } from 'vitest'
import { Prunable, prunableContext, type RawMessage } from '../../testing/builders/prunable'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { Policy, PolicyPatch } from '../policy/policy'
import { PRESETS } from '../policy/presets'
import { resolvePolicy } from '../policy/resolve'
import { prunedMessage } from './apply-prune'
import { makeRoom } from './make-room'
import { prunePlan, rulesAlone } from './prune-plan'
import type { PruneRuleName } from './prune-rule-names'
import { rulesOf } from './prune-rules'

const policyWith = (...patches: PolicyPatch[]): Policy =>
  resolvePolicy(patches.map((patch, i) => ({ level: 'session' as const, label: `${i}`, patch }))).policy

/** Nothing is protected, so that a rule is seen by itself. */
const BARE = policyWith({
  pruning: {
    keepLastMessages: 0,
    keepRecentMs: 0,
    alwaysKeep: [],
    toolResultsAfterMs: 60_000,
    keepTools: [],
    errorTurns: 2,
  },
})
const LONG = 'berth 4 is free. '.repeat(50)

/** What a rule decides on, as `place action reason` or, for arguments, `place/call action reason`. */
function decided(
  messages: readonly RawMessage[],
  rule: PruneRuleName,
  policy: Policy = BARE,
  given: { age?: number; window?: number } = {},
): string[] {
  return prunePlan(prunableContext(messages, policy, given), [rule]).decisions.map(
    ({ at, call, action, reason }) => `${at}${call === null ? '' : `/${call}`} ${action} ${reason}`,
  )
}

describe('age', () => {
  const results = (count: number) => {
    const made = new Prunable().user('go on')
    for (let i = 0; i < count; i++) made.call('bash', { command: `ls ${i}` }, LONG)
    return made.messages
  }

  it('J1 the 11th-last message may go, the 10th-last stays', () => {
    // By the default number.
    const { keepLastMessages } = DEFAULT_POLICY.pruning
    expect(keepLastMessages).toBe(10)
    const policy = policyWith(BARE, { pruning: { keepLastMessages } })
    const messages = [...results(6), ...new Prunable().says('done').messages].slice(1)
    expect(messages).toHaveLength(13)
    // Results are at 1, 3, 5 …; the tenth from the end is at 3.
    expect(decided(messages, 'age', policy)).toEqual(['1 clear old'])
    expect(decided(messages.slice(0, -1), 'age', policy)).toEqual(['1 clear old'])
    expect(decided(messages.slice(0, -2), 'age', policy)).toEqual([])
    expect(decided(messages, 'age')).toHaveLength(6)
  })

  it('J1 the default is ten messages, five minutes, errors after four turns', () => {
    const { keepLastMessages, keepRecentMs, toolResultsAfterMs, errorTurns } = DEFAULT_POLICY.pruning
    expect([keepLastMessages, keepRecentMs, toolResultsAfterMs, errorTurns]).toEqual([10, 300_000, 60_000, 4])
    // Old enough for every rule but the one that counts messages: only it keeps the last ten.
    const policy = policyWith({ pruning: { keepRecentMs: 0 } })
    const messages = [...results(6), ...new Prunable().says('done').messages].slice(1)
    expect(decided(messages, 'age', policy)).toEqual(['1 clear old'])
    expect(decided(messages.slice(0, -2), 'age', policy)).toEqual([])
  })

  it('J4 a result of 61 s may go, one of 60 s stays', () => {
    const [, ...messages] = results(1)
    expect(decided(messages, 'age', BARE, { age: 61_000 })).toEqual(['1 clear old'])
    expect(decided(messages, 'age', BARE, { age: 60_000 })).toEqual([])
  })

  it('J2 what is no result is kept for 5 minutes, and results for their own time instead', () => {
    const policy = policyWith(BARE, { pruning: { keepRecentMs: 300_000 } })
    const messages = new Prunable()
      .user('a')
      .call('write', { path: 'a', content: LONG }, LONG)
      .call('read', { path: 'a' }, LONG).messages
    const at = (age: number) => decided(messages, 'superseded-writes', policy, { age: age - 3000 })
    expect(at(299_000)).toEqual([])
    expect(at(301_000)).toEqual(['1/0 clear read-since'])
    expect(decided(messages, 'age', policy, { age: 61_000 })).toEqual(['2 clear old', '4 clear old'])
  })

  it('J3 errors, plans and what a person said stay however old they are', () => {
    const messages = new Prunable()
      .user('a')
      .call('bash', { command: 'a' }, LONG, { isError: true })
      .call('todo_write', { list: 'a' }, LONG).messages
    const policy = policyWith(BARE, { pruning: { alwaysKeep: ['plan', 'error', 'human_input'] } })
    expect(decided(messages, 'age', policy)).toEqual([])
    expect(decided(messages, 'age')).toEqual(['2 clear old', '4 clear old'])
  })

  it('J8 what users and agents say never goes, nor summaries nor shell output of the operator', () => {
    const messages = [
      { role: 'compactionSummary', summary: LONG, timestamp: 0 },
      { role: 'user', content: LONG, timestamp: 0 },
      { role: 'assistant', content: [{ type: 'text', text: LONG }], timestamp: 0 },
      { role: 'bashExecution', command: 'ls', output: LONG, timestamp: 0 },
      { role: 'custom', content: LONG, timestamp: 0 },
    ]
    const context = prunableContext(messages, BARE)
    expect(rulesAlone(context).map(({ texts }) => texts)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('what is of unknown age stays, and so does everything where the knob is 0', () => {
    const [, ...messages] = results(1)
    const context = prunableContext(messages, BARE)
    const ageless = { ...context, messages: context.messages.map((message) => ({ ...message, at: null })) }
    expect(prunePlan(ageless, ['age']).decisions).toEqual([])
    const off = policyWith(BARE, { pruning: { toolResultsAfterMs: 0 } })
    expect(prunePlan(prunableContext(messages, off), ['age']).rules[0]).toMatchObject({
      texts: 0,
      idle: 'no-time',
    })
  })
})

describe('duplicate calls', () => {
  it('of the same call in other order of arguments the last good answer stays', () => {
    const messages = new Prunable()
      .user('a')
      .call('grep', { pattern: 'berth', path: 'src' }, LONG)
      .call('grep', { path: 'src', pattern: 'berth' }, LONG)
      .call('grep', { pattern: 'crane', path: 'src' }, LONG)
      .call('grep', { pattern: 'berth', path: 'src' }, LONG, { isError: true }).messages
    expect(decided(messages, 'duplicates')).toEqual(['2 clear repeated'])
  })

  it('answers that go on where the last one ended are no duplicates', () => {
    const messages = new Prunable()
      .user('a')
      .call('process', { action: 'poll', id: 1 }, LONG)
      .call('process', { action: 'poll', id: 1 }, LONG).messages
    expect(decided(messages, 'duplicates')).toEqual([])
  })

  it('long arguments are distinguished by more than their beginning', () => {
    const write = (content: string) => new Prunable().user('a').call('write', { content }, LONG).messages
    const twice = (a: string, b: string) => [...write(a), ...write(b)]
    expect(decided(twice(`${LONG}x`, `${LONG}x`), 'duplicates')).toHaveLength(1)
    expect(decided(twice(`${LONG}x`, `${LONG}y`), 'duplicates')).toEqual([])
  })
})

describe('superseded reads', () => {
  const reading = (input: object = {}) => ({ path: 'berth.md', ...input })

  it('a file read again, in whole or in the same lines, lets the earlier reading go', () => {
    const messages = new Prunable()
      .user('a')
      .call('read', reading({ offset: 1, limit: 5 }), LONG)
      .call('read', reading({ offset: 9, limit: 5 }), LONG)
      .call('read', reading({ offset: 1, limit: 5 }), LONG).messages
    expect(decided(messages, 'superseded-reads')).toEqual(['2 clear read-again'])
    const whole = [...messages, ...new Prunable().call('read', { path: './berth.md' }, LONG).messages]
    expect(decided(whole, 'superseded-reads')).toHaveLength(3)
  })

  it('a file written anew or removed does so, an edit or a failed write does not', () => {
    const following = (name: string, input: object, isError = false) =>
      decided(
        new Prunable().user('a').call('read', reading(), LONG).call(name, reading(input), 'ok', { isError })
          .messages,
        'superseded-reads',
      )
    expect(following('write', { content: 'x' })).toEqual(['2 clear written-anew'])
    expect(following('delete', {})).toEqual(['2 clear written-anew'])
    expect(following('edit', { old: 'x', new: 'y' })).toEqual([])
    expect(following('write', { content: 'x' }, true)).toEqual([])
  })
})

describe('superseded writes', () => {
  const write = (made: Prunable) => made.call('write', { path: 'a.ts', content: LONG }, 'ok')

  it('arguments go once the file was read whole or written anew, the path stays', () => {
    expect(decided(write(new Prunable().user('a')).messages, 'superseded-writes')).toEqual([])
    const read = write(new Prunable().user('a')).call('read', { path: 'a.ts' }, 'x')
    expect(decided(read.messages, 'superseded-writes')).toEqual(['1/0 clear read-since'])
    const part = write(new Prunable().user('a')).call('read', { path: 'a.ts', offset: 2 }, 'x')
    expect(decided(part.messages, 'superseded-writes')).toEqual([])
    expect(decided(write(write(new Prunable().user('a'))).messages, 'superseded-writes')).toEqual([
      '1/0 clear written-anew',
    ])
  })

  it('what a shell wrote may have been appended, so it supersedes nothing', () => {
    const messages = write(new Prunable().user('a')).call('bash', { command: 'echo x >> a.ts' }, '').messages
    expect(decided(messages, 'superseded-writes')).toEqual([])
  })

  it('of calls made at once only the one that is done with loses its arguments, and loses no other text', () => {
    const messages = new Prunable()
      .user('a')
      .parallel(
        ['write', { path: 'a.ts', content: LONG }, 'ok'],
        ['write', { path: 'b.ts', content: LONG }, 'ok'],
      )
      .call('read', { path: 'b.ts' }, 'x').messages
    expect(decided(messages, 'superseded-writes')).toEqual(['1/1 clear read-since'])
    const [, made] = messages
    if (made === undefined) throw new Error('no message')
    expect(prunedMessage(made, [{ call: 1, action: 'clear' }], BARE.pruning).content).toMatchObject([
      { arguments: { path: 'a.ts', content: LONG } },
      { arguments: { path: 'b.ts', content: '[Old tool input cleared]' } },
    ])
  })

  it('calls that were different are no duplicates once their arguments are cleared', () => {
    const made = new Prunable().user('a')
    for (const text of ['x', 'y']) made.call('write', { path: 'a.ts', content: LONG + text }, LONG)
    const cleared = made.messages.map((message) =>
      message.role === 'assistant'
        ? prunedMessage(message, [{ call: 0, action: 'clear' }], BARE.pruning)
        : message,
    )
    expect(JSON.stringify(cleared.filter(({ role }) => role === 'assistant'))).not.toContain('berth')
    expect(decided(cleared, 'duplicates')).toEqual([])
  })

  it('a patch of two files stays until both are done with', () => {
    const input = { input: `*** Update File: a.ts\n${LONG}\n*** Update File: b.ts\n${LONG}` }
    const one = new Prunable().user('a').call('apply_patch', input, 'ok').call('read', { path: 'a.ts' }, 'x')
    expect(decided(one.messages, 'superseded-writes')).toEqual([])
    const both = one.call('read', { path: 'b.ts' }, 'x')
    expect(decided(both.messages, 'superseded-writes')).toEqual(['1/0 clear read-since'])
  })
})

describe('purged errors', () => {
  it('arguments of a failed call go after so many turns, the error stays', () => {
    const failed = new Prunable()
      .user('a')
      .call('write', { path: 'a', content: LONG }, LONG, { isError: true })
    expect(decided(failed.user('b').messages, 'errors')).toEqual([])
    expect(decided(failed.user('c').messages, 'errors')).toEqual(['1/0 clear failed'])
    const good = new Prunable().user('a').call('write', { path: 'a', content: LONG }, LONG)
    expect(decided(good.user('b').user('c').messages, 'errors')).toEqual([])
  })
})

describe('OpenClaw’s pruning', () => {
  const OPENCLAW = policyWith(PRESETS.openclaw)
  const filled = (count: number, chars: number) => {
    const made = new Prunable().user('a')
    for (let i = 0; i < count; i++) made.call('bash', { command: `ls ${i}` }, 'x'.repeat(chars))
    return made.says('1').says('2').says('3').messages
  }

  it('begins at 30 % of the window, trims what is longer than 4,000 characters and leaves the rest', () => {
    // 10 results of 5,000 characters: 12,500 tokens.
    const messages = filled(10, 5000)
    expect(decided(messages, 'cache-ttl', OPENCLAW, { window: 42_000 })).toEqual([])
    expect(decided(messages, 'cache-ttl', OPENCLAW, { window: 41_000 })).toHaveLength(10)
    expect(decided(filled(20, 4000), 'cache-ttl', OPENCLAW, { window: 50_000 })).toEqual([])
    const plan = prunePlan(prunableContext(messages, OPENCLAW, { window: 41_000 }), ['cache-ttl'])
    const note = '\n\n[Tool result trimmed: kept first 1500 chars and last 1500 chars of 5000 chars.]'
    expect(plan.decisions[0]).toMatchObject({ action: 'trim', charsAfter: 3005 + note.length })
  })

  it('clears from 50 % on, the oldest first, until below, and only when it is worth 50,000 characters', () => {
    // 30 × 3,000 characters are 22,500 tokens and some; half of 40,000 is 20,000.
    const found = decided(filled(30, 3000), 'cache-ttl', OPENCLAW, { window: 40_000 })
    expect(found.slice(0, 2)).toEqual(['2 clear full', '4 clear full'])
    // 90,552 characters; each cleared result leaves 33 of 3,000.
    expect(found).toHaveLength(4)
    expect(decided(filled(16, 3000), 'cache-ttl', OPENCLAW, { window: 20_000 })).toEqual([])
    const off = policyWith(PRESETS.openclaw, { pruning: { cacheTtl: { hardClear: false } } })
    expect(decided(filled(30, 3000), 'cache-ttl', off, { window: 40_000 })).toEqual([])
  })

  it('waits for the cache to go cold, keeps the newest three answers, and what is before the first user', () => {
    const plan = (messages: readonly RawMessage[], age: number) =>
      prunePlan(prunableContext(messages, OPENCLAW, { window: 20_000, age }), ['cache-ttl']).rules[0]
    expect(plan(filled(10, 5000), 299_000)).toMatchObject({ texts: 0, idle: 'cache-warm' })
    expect(plan(filled(10, 5000), 300_000)).toMatchObject({ texts: 10, idle: null })
    expect(plan(filled(10, 5000).slice(0, -3), 300_000)).toMatchObject({ texts: 7 })
    expect(plan(filled(10, 5000).slice(1), 300_000)).toMatchObject({ texts: 0 })
    expect(plan(new Prunable().user('x'.repeat(99_999)).messages, 300_000)?.idle).toBe('few-answers')
  })

  it('lists of tools: what is denied stays, and where some are allowed the others do', () => {
    const messages = [
      ...new Prunable().user('a').call('Bash', {}, LONG.repeat(9)).call('read_file', {}, LONG.repeat(9))
        .messages,
      ...new Prunable().says('1').says('2').says('3').messages,
    ]
    const of = (lists: { allow?: string[]; deny?: string[] }) =>
      decided(messages, 'cache-ttl', policyWith(PRESETS.openclaw, { pruning: { cacheTtl: lists } }), {
        window: 5000,
      }).map((found) => Number.parseInt(found, 10))
    expect(of({})).toEqual([2, 4])
    expect(of({ deny: ['bash'] })).toEqual([4])
    expect(of({ allow: ['read*'] })).toEqual([4])
    expect(of({ allow: ['read*'], deny: ['*file'] })).toEqual([])
    expect(of({ allow: [' '] })).toEqual([2, 4])
  })
})

describe('J6 making room', () => {
  const context = () => {
    const made = new Prunable().user('a')
    for (let i = 0; i < 4; i++) made.call('bash', { command: `ls ${i}` }, 'x'.repeat(20_000))
    return prunableContext(made.messages, BARE)
  }
  const freed = () => 4000

  it('lets the oldest result go, and no more than are needed', () => {
    const places = (tokens: number) =>
      makeRoom(context(), tokens, freed)?.map(({ decision }) => decision.at) ?? null
    expect(places(3000)).toEqual([2])
    expect(places(5000)).toEqual([2, 4])
    expect(places(0)).toEqual([])
  })

  it('A15 lets nothing go where all of them are not enough', () => {
    expect(makeRoom(context(), 16_001, freed)).toBeNull()
    expect(makeRoom(context(), 16_000, freed)).toHaveLength(4)
  })
})

describe('rules together', () => {
  it('a text that several rules ask for is counted once', () => {
    const made = new Prunable().user('a')
    for (let i = 0; i < 3; i++) made.call('read', { path: 'a.ts' }, LONG)
    const context = prunableContext(made.messages, BARE)
    const alone = new Map(rulesAlone(context).map(({ rule, texts }) => [rule, texts]))
    expect(Object.fromEntries(alone)).toMatchObject({ duplicates: 2, 'superseded-reads': 2, age: 3 })
    const plan = prunePlan(context, ['age', 'duplicates', 'superseded-reads'])
    expect(plan.rules.map(({ rule, texts }) => [rule, texts])).toEqual([
      ['duplicates', 2],
      ['superseded-reads', 0],
      ['age', 1],
    ])
    expect(plan.tokensBefore - plan.tokensAfter).toBe(
      plan.decisions.reduce((sum, decision) => sum + decision.freed, 0),
    )
  })

  it('a policy names the rules that are on', () => {
    expect(rulesOf(DEFAULT_POLICY)).toEqual([
      'duplicates',
      'superseded-reads',
      'superseded-writes',
      'errors',
      'age',
    ])
    for (const preset of ['openclaw', 'vs7', 'goclaw', 'memfas'] as const)
      expect(rulesOf(policyWith(PRESETS[preset]))).toEqual([])
  })
})
