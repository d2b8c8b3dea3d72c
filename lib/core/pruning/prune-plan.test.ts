import { describe, expect, it } from 'vitest'
import {
  Prunable,
  prunableContext,
  type RawMessage,
  readPrunable,
  START,
} from '../../testing/builders/prunable'
import type { Policy, PolicyPatch } from '../policy/policy'
import { resolvePolicy } from '../policy/resolve'
import { makeRoom } from './make-room'
import { pruneContext } from './prune-context'
import { clearArguments, clearResult, decide } from './prune-decision'
import { pruneIndex } from './prune-index'
import { prunePlan, rulesAlone } from './prune-plan'
import { PRUNE_RULE_NAMES } from './prune-rule-names'
import { rulesOf } from './prune-rules'
import { textDecisions } from './text-decisions'

const BARE: PolicyPatch = {
  pruning: {
    ...{ keepLastMessages: 0, keepRecentMs: 0, toolResultsAfterMs: 60_000, alwaysKeep: [], keepTools: [] },
    ...{ errorTurns: 1, placeholder: '[gone]' },
  },
}
const policyWith = (patch: PolicyPatch = {}): Policy =>
  resolvePolicy([BARE, patch].map((one, i) => ({ level: 'session' as const, label: `${i}`, patch: one })))
    .policy
const context = (messages: readonly RawMessage[], patch: PolicyPatch = {}) =>
  prunableContext(messages, policyWith(patch))
const long = (chars: number) => 'x'.repeat(chars)

describe('a decision', () => {
  // Places 1 and 2: a call with its result of 400 characters, which are 100 tokens.
  const one = () => context(new Prunable().user('a').call('bash', { command: 'ls' }, long(400)).messages)

  it('says what it frees: the part of the message’s tokens, rounded down', () => {
    const freed = (before: number, after: number) =>
      decide(one(), 2, { call: null, action: 'trim', rule: 'age', reason: 'old' }, before, after).freed
    expect([freed(400, 0), freed(400, 200), freed(400, 3), freed(400, 399)]).toEqual([100, 50, 99, 0])
    // Longer than before: it costs.
    expect(freed(400, 401)).toBe(-1)
    expect(decide(one(), 99, { call: null, action: 'clear', rule: 'age', reason: 'old' }, 9, 1).freed).toBe(0)
  })

  it('to clear a result is made only where the placeholder is shorter', () => {
    const placeholder = (text: string) =>
      clearResult(
        context(new Prunable().user('a').call('bash', {}, 'berth 4').messages, {
          pruning: { placeholder: text },
        }),
        2,
        'room',
        'room',
      )
    expect(placeholder('123456')).toEqual({
      ...{
        at: 2,
        call: null,
        action: 'clear',
        rule: 'room',
        reason: 'room',
        charsBefore: 7,
        charsAfter: 6,
        freed: 0,
      },
    })
    expect(placeholder('1234567')).toBeNull()
    expect(placeholder('12345678')).toBeNull()
    // The placeholder weighs what its signs weigh.
    expect(placeholder('岸壁')).toBeNull()
    expect(placeholder('岸')?.charsAfter).toBe(4)
  })

  it('to clear arguments is made only where one of them is long', () => {
    const of = (content: string) => {
      const found = context(new Prunable().user('a').call('write', { path: 'a', content }, 'ok').messages)
      const [pair] = found.pairs
      return pair === undefined ? undefined : clearArguments(found, pair, 'errors', 'failed')
    }
    expect(of(long(120))).toBeNull()
    const before = `{"path":"a","content":"${long(200)}"}`.length
    const after = '{"path":"a","content":"[Old tool input cleared]"}'.length
    const tokens = Math.ceil(before / 4)
    expect(of(long(200))).toEqual({
      ...{ at: 1, call: 0, action: 'clear', rule: 'errors', reason: 'failed' },
      ...{ charsBefore: before, charsAfter: after, freed: Math.floor((tokens * (before - after)) / before) },
    })
  })
})

describe('J6: room', () => {
  const four = (patch: PolicyPatch = {}) => {
    const made = new Prunable().user('a')
    for (let i = 0; i < 4; i++)
      made.call(i === 1 ? 'todo' : 'bash', { command: `ls ${i}` }, long(i === 2 ? 5 : 400))
    return context(made.messages, patch)
  }
  const places = (tokens: number, patch: PolicyPatch, freed: (at: number) => number) =>
    makeRoom(four(patch), tokens, ({ at }) => freed(at))?.map(({ decision, freed: all }) => [
      decision.at,
      all,
    ]) ?? null

  it('is made of results that may go and free something, and what each frees is said', () => {
    // Place 4 is of a tool that is kept, place 6 is shorter than the placeholder.
    const keeps = { pruning: { keepTools: ['todo'] } }
    expect(places(150, keeps, () => 100)).toEqual([
      [2, 100],
      [8, 100],
    ])
    expect(places(150, {}, () => 100)).toEqual([
      [2, 100],
      [4, 100],
    ])
    expect(places(201, keeps, () => 100)).toBeNull()
    expect(places(200, keeps, () => 100)).toHaveLength(2)
    // What frees nothing, or costs, is passed over.
    expect(places(150, {}, (at) => (at === 2 ? 0 : 100))).toEqual([
      [4, 100],
      [8, 100],
    ])
    expect(places(150, {}, (at) => (at === 2 ? -50 : 100))).toEqual([
      [4, 100],
      [8, 100],
    ])
    expect(makeRoom(four(), 1, () => 9)?.[0]?.decision).toMatchObject({
      action: 'clear',
      rule: 'room',
      reason: 'room',
    })
  })

  it('of nothing is made without a result', () => {
    expect(places(0, {}, () => 100)).toEqual([])
    expect(places(-5, {}, () => 100)).toEqual([])
  })
})

describe('a plan of rules', () => {
  const messages = new Prunable()
    .user('a')
    .parallel(
      ['write', { path: 'a.ts', content: long(500) }, long(400)],
      ['write', { path: 'b.ts', content: long(500) }, long(800)],
    )
    .call('read', { path: 'b.ts' }, long(300))
    .call('bash', { command: 'cat a.ts' }, long(300), { isError: true })
    .call('read', { path: 'a.ts' }, long(300)).messages

  it('lists decisions by the place of their message and of their call, whatever rule they are of', () => {
    const plan = prunePlan(context(messages), ['age', 'superseded-writes'])
    const listed = plan.decisions.map(({ at, call, rule }) => `${at} ${call} ${rule}`)
    expect(listed).toEqual([
      ...[
        '1 0 superseded-writes',
        '1 1 superseded-writes',
        '2 null age',
        '3 null age',
        '5 null age',
        '7 null age',
      ],
      '9 null age',
    ])
  })

  it('lists calls of one message in their order, also where a later rule decides on an earlier one', () => {
    const made = new Prunable()
      .user('a')
      .parallel(
        ['write', { path: 'a.ts', content: long(500) }, 'no'],
        ['write', { path: 'b.ts', content: long(500) }, 'ok'],
      )
      .call('read', { path: 'b.ts' }, 'x')
      .user('b').messages
    // The first call failed: its result is the last of the two.
    const failed = made.map((message, at) => (at === 3 ? { ...message, isError: true } : message))
    const plan = prunePlan(context(failed), ['superseded-writes', 'errors'])
    expect(plan.decisions.map(({ at, call, rule }) => `${at} ${call} ${rule}`)).toEqual([
      ...['1 0 errors', '1 1 superseded-writes'],
    ])
  })

  it('sums what each rule frees, in the order of the rules, and says what is left', () => {
    const plan = prunePlan(context(messages), ['cache-ttl', 'age', 'superseded-writes'])
    expect(plan.rules.map(({ rule, texts, idle }) => [rule, texts, idle])).toEqual([
      ['superseded-writes', 2, null],
      ['age', 5, null],
      ['cache-ttl', 0, 'below-trim'],
    ])
    const freedBy = (name: string) =>
      plan.decisions.filter(({ rule }) => rule === name).reduce((sum, { freed }) => sum + freed, 0)
    for (const { rule, freed } of plan.rules) expect(freed).toBe(freedBy(rule))
    expect(plan.tokensBefore).toBe(readPrunable(messages).reduce((sum, { tokens }) => sum + tokens, 0))
    expect(plan.tokensAfter).toBe(plan.tokensBefore - freedBy('age') - freedBy('superseded-writes'))
    expect(plan.tokensAfter).toBeLessThan(plan.tokensBefore)
  })

  it('lets a later rule see what an earlier one has left, and changes the context itself in nothing', () => {
    const made = new Prunable().user('a')
    for (const _ of [1, 2]) made.call('read', { path: 'a.ts' }, long(500))
    const found = context([...made.says('1').says('2').says('3').messages])
    const before = { chars: [...found.chars], cleared: [...found.cleared] }
    const plan = prunePlan(found, [...PRUNE_RULE_NAMES])
    // The first result goes once, though three rules ask for it.
    expect(plan.rules.map(({ texts }) => texts)).toEqual([1, 0, 0, 0, 1, 0])
    expect({ chars: [...found.chars], cleared: [...found.cleared] }).toEqual(before)
  })

  it('looks at the fill that the rules before have left, to the character', () => {
    // A window of 400 characters, half of which is its fill: 1 + 2 + 6 of the placeholder + 2 and the last result.
    const cacheTtl = {
      ...{ enabled: true, ttlMs: 1000, keepLastAssistants: 0, softTrimRatio: 0.1, softTrimMaxChars: 4000 },
      ...{ softTrimHeadChars: 10, softTrimTailChars: 10, hardClearRatio: 0.5, minPrunableChars: 0 },
      hardClear: true,
    }
    const decided = (last: number) => {
      const made = new Prunable().user('u').call('read', {}, long(300)).call('read', {}, long(last)).messages
      const found = prunableContext(made, policyWith({ pruning: { cacheTtl } }), { window: 100 })
      return prunePlan(found, ['duplicates', 'cache-ttl']).decisions.map(({ at, rule }) => `${at} ${rule}`)
    }
    expect(decided(188)).toEqual(['2 duplicates'])
    expect(decided(189)).toEqual(['2 duplicates', '4 cache-ttl'])
  })

  it('names in each decision the rule that made it', () => {
    const made = new Prunable()
      .user('a')
      .call('read', { path: 'a.ts' }, long(300))
      .call('read', { path: 'a.ts' }, long(300))
      .call('write', { path: 'b.ts', content: long(500) }, 'ok')
      .call('write', { path: 'b.ts', content: long(600) }, 'ok')
      .call('write', { path: 'c.ts', content: long(500) }, 'no', { isError: true })
      .user('b').messages
    const cacheTtl = {
      ttlMs: 1000,
      keepLastAssistants: 0,
      softTrimRatio: 0,
      hardClearRatio: 0,
      minPrunableChars: 0,
    }
    const found = context(made, { pruning: { cacheTtl } })
    for (const rule of PRUNE_RULE_NAMES)
      expect([rule, ...new Set(prunePlan(found, [rule]).decisions.map((one) => one.rule))]).toEqual([
        rule,
        rule,
      ])
  })

  it('of no rules, or of an empty context, is empty', () => {
    expect(prunePlan(context(messages), [])).toMatchObject({ decisions: [], rules: [] })
    expect(prunePlan(context([]), [...PRUNE_RULE_NAMES])).toMatchObject({
      ...{ decisions: [], tokensBefore: 0, tokensAfter: 0 },
    })
  })

  it('of each rule alone is the same as of a set of that one', () => {
    const found = context(messages)
    expect(rulesAlone(found)).toEqual(PRUNE_RULE_NAMES.map((rule) => prunePlan(found, [rule]).rules[0]))
    expect(rulesAlone(found).map(({ rule, texts }) => [rule, texts])).toEqual([
      ...[
        ['duplicates', 0],
        ['superseded-reads', 0],
        ['superseded-writes', 2],
        ['errors', 0],
        ['age', 5],
        ['cache-ttl', 0],
      ],
    ])
  })

  it('knows each rule by its own switch', () => {
    const off = {
      duplicates: false,
      supersededReads: false,
      supersededWrites: false,
      errors: false,
      byAge: false,
    }
    const on = (patch: PolicyPatch['pruning']) => rulesOf(policyWith({ pruning: { ...off, ...patch } }))
    expect(on({})).toEqual([])
    expect(on({ duplicates: true })).toEqual(['duplicates'])
    expect(on({ supersededReads: true })).toEqual(['superseded-reads'])
    expect(on({ supersededWrites: true })).toEqual(['superseded-writes'])
    expect(on({ errors: true })).toEqual(['errors'])
    expect(on({ byAge: true })).toEqual(['age'])
    expect(on({ cacheTtl: { enabled: true } })).toEqual(['cache-ttl'])
  })
})

describe('what becomes of each text', () => {
  it('is one line for each result and for each call with long arguments, in the order of the context', () => {
    const messages = new Prunable()
      .user('a')
      .parallel(['write', { path: 'a', content: long(200) }, long(400)], ['todo', { path: 'b' }, long(40)])
      .call('bash', { command: 'ls' }, long(80)).messages
    const found = context(messages, { pruning: { keepTools: ['todo'] } })
    const listed = textDecisions(found, prunePlan(found, ['age']))
    expect(listed.map(({ at, call, tool, action }) => [at, call, tool, action])).toEqual([
      ...[
        [1, 0, 'write', 'keep'],
        [2, null, 'todo', 'keep'],
        [3, null, 'write', 'clear'],
        [5, null, 'bash', 'clear'],
      ],
    ])
    expect(listed.map((text) => (text.action === 'keep' ? text.keptBy : text.decision.reason))).toEqual([
      ...[null, 'tool', 'old', 'old'],
    ])
    expect(listed.map(({ tokens }) => tokens)).toEqual([
      // Of the call's message, which makes two calls, the part of its arguments.
      Math.round(
        (found.messages[1]?.tokens ?? 0) *
          ((found.pairs[0]?.call.chars ?? 0) / (found.messages[1]?.chars ?? 1)),
      ),
      ...[10, 100, 20],
    ])
  })

  it('is decided for each of several calls of one message by itself', () => {
    const write = (path: string) => ['write', { path, content: long(500) }, 'ok'] as const
    const made = new Prunable()
      .user('a')
      .parallel(write('a'), write('b'), write('c'))
      .call('read', { path: 'b' }, 'x')
    const found = context(made.messages)
    const listed = textDecisions(found, prunePlan(found, ['superseded-writes']))
    expect(listed.filter(({ call }) => call !== null).map(({ call, action }) => `${call} ${action}`)).toEqual(
      [...['0 keep', '1 clear', '2 keep']],
    )
  })

  it('names what protects arguments, and a result that answers no call', () => {
    const [, , orphan] = new Prunable().user('a').call('read', {}, long(40)).messages
    const messages = [
      ...new Prunable().user('a').call('todo', { content: long(200) }, '', {}).messages,
      { ...orphan, toolCallId: 'nobody', role: 'toolResult', timestamp: START },
    ] as RawMessage[]
    const found = context(messages, { pruning: { keepTools: ['todo', 'read'] } })
    expect(textDecisions(found, { decisions: [] })).toEqual([
      { at: 1, call: 0, tool: 'todo', tokens: found.messages[1]?.tokens, action: 'keep', keptBy: 'tool' },
      { at: 2, call: null, tool: 'todo', tokens: 0, action: 'keep', keptBy: 'tool' },
      { at: 3, call: null, tool: 'read', tokens: 10, action: 'keep', keptBy: 'tool' },
    ])
  })

  it('takes the tool of a result from its call where the result does not say', () => {
    const given = readPrunable(new Prunable().user('a').call('bash', {}, long(40)).messages)
    const index = pruneIndex(given.map((message) => ({ ...message, toolName: '' })))
    const found = pruneContext(index, { policy: policyWith(), window: 1000, now: START, lastTouchAt: null })
    expect(textDecisions(found, { decisions: [] }).map(({ tool }) => tool)).toEqual(['bash'])
    expect(index.tools).toEqual(['', '', 'bash'])
  })
})

describe('what rules ask of a context, once', () => {
  it('numbers calls by their words, and leaves out those of which nothing can be said', () => {
    const made = new Prunable().user('a')
    for (const command of ['ls', 'pwd', 'ls', '[Old tool input cleared]']) made.call('bash', { command }, 'x')
    const index = pruneIndex(readPrunable(made.messages))
    expect([...index.wordsOf]).toEqual([0, 1, 0, -1])
    expect(index.words).toBe(2)
    expect([...index.size].slice(0, 3)).toEqual([1, '{"command":"ls"}'.length, 1])
    expect([...index.tokens].slice(0, 3)).toEqual([1, 4, 1])
  })

  it('knows what was done to each file in order, by calls that went well', () => {
    const made = new Prunable()
      .user('a')
      .call('read', { path: 'a.ts', offset: 3 }, 'x')
      .call('write', { path: 'b.ts', content: 'x' }, 'x', { isError: true })
      .call('write', { path: 'a.ts', content: 'x' }, 'x')
      .call('edit', { path: 'c.ts' }, 'x')
    const unanswered = made.call('read', { path: 'c.ts' }, 'x').messages.slice(0, -1)
    const { files } = pruneIndex(readPrunable(unanswered))
    expect(
      [...files].map(([path, uses]) => [
        path,
        uses.map(({ touch, pair }) => `${pair} ${touch.how} ${touch.range}`),
      ]),
    ).toEqual([
      ['a.ts', ['0 read offset=3', '2 create ']],
      ['c.ts', ['3 edit ']],
    ])
  })
})
