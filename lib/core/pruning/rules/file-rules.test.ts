import { describe, expect, it } from 'vitest'
import {
  Prunable,
  prunableContext,
  type RawMessage,
  readPrunable,
  START,
} from '../../../testing/builders/prunable'
import type { Policy, PolicyPatch } from '../../policy/policy'
import { resolvePolicy } from '../../policy/resolve'
import { pruneContext } from '../prune-context'
import type { PruneRule } from '../prune-decision'
import { pruneIndex } from '../prune-index'
import { pruneByAge } from './by-age'
import { pruneDuplicateCalls } from './duplicate-calls'
import { prunePurgedErrors } from './purged-errors'
import { pruneSupersededReads } from './superseded-reads'
import { pruneSupersededWrites } from './superseded-writes'

const LONG = 'berth 4 is free. '.repeat(20)
const policyWith = (pruning: PolicyPatch['pruning'] = {}): Policy => {
  const bare = {
    keepLastMessages: 0,
    keepRecentMs: 0,
    toolResultsAfterMs: 60_000,
    alwaysKeep: [],
    keepTools: [],
  }
  const patch = { pruning: { ...bare, errorTurns: 1, ...pruning } }
  return resolvePolicy([{ level: 'session', label: 's', patch }]).policy
}
/** What a rule decides on, as `place[/call] reason`, in the order in which it says so. */
const found = (
  rule: PruneRule,
  messages: readonly RawMessage[],
  pruning: PolicyPatch['pruning'] = {},
  age?: number,
) =>
  rule(prunableContext(messages, policyWith(pruning), age === undefined ? {} : { age })).decisions.map(
    ({ at, call, action, reason }) =>
      `${at}${call === null ? '' : `/${call}`} ${action === 'clear' ? reason : action}`,
  )

/**
 * Calls in short, a word each, behind a message of the user: `r` read, `p` read of a part, `w` write, `e` edit, `d`
 * delete; of the file behind `:`, `f` where none is. `!` at its end: it failed. `u`: a message of the user.
 */
function calls(words: string): RawMessage[] {
  const made = new Prunable().user('go')
  for (const word of words.split(' ')) {
    const [what = '', file = 'f'] = word.replace('!', '').split(':')
    const over = { isError: word.endsWith('!') }
    if (what === 'u') made.user('on')
    else if (what === 'r') made.call('read', { path: file }, LONG, over)
    else if (what === 'p') made.call('read', { path: file, offset: 5 }, LONG, over)
    else if (what === 'w') made.call('write', { path: file, content: LONG }, LONG, over)
    else if (what === 'e') made.call('edit', { path: file, old: LONG, new: 'x' }, LONG, over)
    else made.call('delete', { path: file }, LONG, over)
  }
  return made.messages
}

describe('superseded reads', () => {
  it.each<[string, string[]]>([
    // Results are at 2, 4, 6 …
    ['r', []],
    ['r r:g', []],
    ['r r', ['2 read-again']],
    ['r r r', ['4 read-again', '2 read-again']],
    ['p p', ['2 read-again']],
    ['p r', ['2 read-again']],
    ['r p', []],
    ['p r p', ['2 read-again']],
    ['r w', ['2 written-anew']],
    ['r d', ['2 written-anew']],
    ['r e', []],
    ['r e r', ['2 read-again']],
    ['w r', []],
    // What was written anew counts more than what was read again.
    ['r r w', ['4 written-anew', '2 written-anew']],
    ['r w r', ['2 written-anew']],
    ['r r!', []],
    ['r w!', []],
    ['r! r', []],
  ])('of %s are %j', (words, expected) => {
    expect(found(pruneSupersededReads, calls(words))).toEqual(expected)
  })

  it('are none of what is protected, and none of a call that read several files', () => {
    expect(found(pruneSupersededReads, calls('r r'), { keepTools: ['read'] })).toEqual([])
    const given = readPrunable(calls('r r:g r'))
    const both = given.map((message) => ({
      ...message,
      calls: message.calls.map((call, i) =>
        message === given[1] && i === 0
          ? { ...call, touches: [...call.touches, { path: 'g', how: 'read' as const, range: '' }] }
          : call,
      ),
    }))
    const policy = policyWith()
    const context = pruneContext(pruneIndex(both), { policy, window: 1000, now: START, lastTouchAt: null })
    expect(
      pruneSupersededReads({ ...context, resultGuard: context.resultGuard.map(() => null) }).decisions,
    ).toEqual([])
  })
})

describe('superseded writes', () => {
  it.each<[string, string[]]>([
    // Calls are at 1, 3, 5 …
    ['w', []],
    ['w r', ['1/0 read-since']],
    ['w p', []],
    ['w w', ['1/0 written-anew']],
    ['w e', []],
    ['w e r', ['3/0 read-since', '1/0 read-since']],
    ['e w', ['1/0 written-anew']],
    ['e e', []],
    ['w d', ['1/0 written-anew']],
    // A removal has no arguments to speak of.
    ['d r', []],
    ['w r w', ['1/0 read-since']],
    ['w w r', ['3/0 read-since', '1/0 written-anew']],
    ['w r:g', []],
    ['w! r', []],
    ['w r!', []],
  ])('of %s are %j', (words, expected) => {
    expect(found(pruneSupersededWrites, calls(words))).toEqual(expected)
  })

  it('are none of a removal, however long its arguments are', () => {
    const removed = new Prunable()
      .user('go')
      .call('delete', { path: 'f', why: LONG }, 'ok')
      .call('read', { path: 'f' }, 'x')
    expect(found(pruneSupersededWrites, removed.messages)).toEqual([])
  })

  it('are of a patch that removes files as well, once what it wrote is superseded', () => {
    const patch = (of: string) => ({ input: `*** Begin Patch\n${of}\n${LONG}\n*** End Patch` })
    const patched = (of: string, ...read: string[]) => {
      const made = new Prunable().user('go').call('apply_patch', patch(of), 'ok')
      for (const path of read) made.call('read', { path }, 'x')
      return found(pruneSupersededWrites, made.messages)
    }
    const both = '*** Delete File: old.ts\n*** Add File: new.ts'
    expect(patched(both)).toEqual([])
    expect(patched(both, 'old.ts')).toEqual([])
    expect(patched(both, 'new.ts')).toEqual(['1/0 read-since'])
    expect(patched('*** Delete File: old.ts', 'old.ts')).toEqual([])
    expect(patched(`${both}\n*** Update File: other.ts`, 'new.ts')).toEqual([])
    expect(patched(`${both}\n*** Update File: other.ts`, 'new.ts', 'other.ts')).toEqual(['1/0 read-since'])
  })

  it('are of a call that read another file as well, once what it wrote is superseded', () => {
    const given = readPrunable(calls('w r')).map((message, at) => ({
      ...message,
      calls: message.calls.map((call) =>
        at === 1
          ? { ...call, touches: [{ path: 'g', how: 'read' as const, range: '' }, ...call.touches] }
          : call,
      ),
    }))
    const bounds = { policy: policyWith(), window: 1000, now: START + 60_000, lastTouchAt: null }
    expect(pruneSupersededWrites(pruneContext(pruneIndex(given), bounds)).decisions).toMatchObject([
      { at: 1, call: 0, reason: 'read-since' },
    ])
  })

  it('are none of what is protected, nor of what is short', () => {
    expect(found(pruneSupersededWrites, calls('w r'), { keepTools: ['write'] })).toEqual([])
    const short = new Prunable()
      .user('go')
      .call('write', { path: 'f', content: 'x' }, LONG)
      .call('read', { path: 'f' }, 'x')
    expect(found(pruneSupersededWrites, short.messages)).toEqual([])
  })
})

describe('purged errors', () => {
  it('wait for so many turns of the user behind them', () => {
    const at = (words: string, errorTurns: number) => found(prunePurgedErrors, calls(words), { errorTurns })
    expect(at('w!', 1)).toEqual([])
    expect(at('w! u', 1)).toEqual(['1/0 failed'])
    expect(at('w! u', 2)).toEqual([])
    expect(at('w! u w! u', 2)).toEqual(['1/0 failed'])
    expect(at('w! u w! u', 1)).toEqual(['1/0 failed', '4/0 failed'])
    // What comes behind counts only where the user says it.
    expect(at('w! r r', 1)).toEqual([])
    // More turns than there are: none is so old. None at all: at once.
    expect(at('w! u u', 9)).toEqual([])
    expect(at('w!', 0)).toEqual(['1/0 failed'])
  })

  it('are none of calls that went well, have no result yet, are short or protected', () => {
    expect(found(prunePurgedErrors, calls('w u'))).toEqual([])
    expect(found(prunePurgedErrors, [...calls('w!').slice(0, -1), ...calls('u')])).toEqual([])
    expect(found(prunePurgedErrors, calls('r! u'))).toEqual([])
    expect(found(prunePurgedErrors, calls('w! u'), { keepTools: ['write'] })).toEqual([])
  })
})

describe('repeated calls', () => {
  it.each<[string, string[]]>([
    ['r r', ['2 repeated']],
    ['r r r', ['2 repeated', '4 repeated']],
    ['r r:g', []],
    ['r p', []],
    // Only a good answer replaces another; a failure before it goes as well.
    ['r r!', []],
    ['r! r', ['2 repeated']],
    ['r r r!', ['2 repeated']],
    ['r! r!', []],
    ['r r:g r r:g', ['2 repeated', '4 repeated']],
  ])('of %s are %j', (words, expected) => {
    expect(found(pruneDuplicateCalls, calls(words))).toEqual(expected)
  })

  it('are none of what is protected or short, has no result yet, or goes on where it ended', () => {
    const short = new Prunable().user('go').call('read', {}, 'x').call('read', {}, 'x')
    expect(found(pruneDuplicateCalls, short.messages)).toEqual([])
    expect(found(pruneDuplicateCalls, calls('r r'), { keepTools: ['read'] })).toEqual([])
    expect(found(pruneDuplicateCalls, calls('r r').slice(0, -1))).toEqual([])
    for (const tool of ['process', 'poll', 'wait_for', 'write_stdin', 'next_page', 'sleep', 'Random']) {
      const twice = new Prunable().user('go').call(tool, {}, LONG).call(tool, {}, LONG)
      expect(found(pruneDuplicateCalls, twice.messages)).toEqual([])
    }
  })
})

describe('J4: age', () => {
  it('is counted from the result, and what is no longer than the placeholder stays', () => {
    // The first result is two seconds older than the last message of the context.
    expect(found(pruneByAge, calls('r r'), {}, 58_000)).toEqual([])
    expect(found(pruneByAge, calls('r r'), {}, 58_001)).toEqual(['2 old'])
    expect(found(pruneByAge, calls('r r'), {}, 60_001)).toEqual(['2 old', '4 old'])
    expect(found(pruneByAge, calls('r r'), { placeholder: LONG }, 99_000)).toEqual([])
    expect(found(pruneByAge, calls('r r'), { keepTools: ['read'] }, 99_000)).toEqual([])
  })
})
