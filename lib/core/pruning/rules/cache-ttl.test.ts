import { describe, expect, it } from 'vitest'
import { Prunable, prunableContext, type RawMessage } from '../../../testing/builders/prunable'
import type { Policy, PolicyPatch } from '../../policy/policy'
import { resolvePolicy } from '../../policy/resolve'
import { pruneContext } from '../prune-context'
import { prunePlan } from '../prune-plan'
import { byFill, pruneByCacheTtl } from './cache-ttl'

type Knobs = NonNullable<NonNullable<PolicyPatch['pruning']>['cacheTtl']>

/** Nothing is protected and nothing trimmed; the oldest are cleared from half of the window on. */
function policyWith(cacheTtl: Knobs = {}, more: PolicyPatch['pruning'] = {}): Policy {
  const pruning = {
    ...{ keepLastMessages: 0, keepRecentMs: 0, toolResultsAfterMs: 0, alwaysKeep: [], keepTools: [] },
    ...{ placeholder: '[gone]' },
    ...more,
    cacheTtl: {
      ...{ ttlMs: 1000, keepLastAssistants: 0, softTrimRatio: 0.1, softTrimMaxChars: 4000 },
      ...{
        softTrimHeadChars: 10,
        softTrimTailChars: 10,
        hardClearRatio: 0.5,
        minPrunableChars: 0,
        hardClear: true,
      },
      ...cacheTtl,
    },
  }
  return resolvePolicy([{ level: 'session', label: 's', patch: { pruning } }]).policy
}
/** A user’s message of one character, and calls of two characters each with results of so many. */
const results = (...sizes: number[]) => {
  const made = new Prunable().user('u')
  for (const [i, size] of sizes.entries()) made.call(`tool${i}`, {}, 'x'.repeat(size))
  return made
}
/** In a window of 100 tokens: 400 characters. */
const context = (messages: readonly RawMessage[], cacheTtl: Knobs = {}, more: PolicyPatch['pruning'] = {}) =>
  prunableContext(messages, policyWith(cacheTtl, more), { window: 100, age: 1000 })
const run = (...given: Parameters<typeof context>) => {
  const { decisions, idle } = pruneByCacheTtl(context(...given))
  return (
    idle ??
    decisions.map(({ at, action, charsBefore, charsAfter }) => `${at} ${action} ${charsBefore}→${charsAfter}`)
  )
}

describe('OpenClaw’s pruning by fill', () => {
  it('is idle while nothing is known of the cache, while it is warm, and where its time is 0', () => {
    const idle = (lastTouchAt: number | null, now: number, ttlMs = 1000) => {
      const index = context(results(390).messages)
      return pruneByCacheTtl(
        pruneContext(index, { policy: policyWith({ ttlMs }), window: 100, now, lastTouchAt }),
      ).idle
    }
    expect([idle(null, 9000), idle(0, 9000)]).toEqual(['cache-unknown', 'cache-unknown'])
    expect([idle(5000, 5999), idle(5000, 6000)]).toEqual(['cache-warm', null])
    expect([idle(5000, 9000, 0), idle(null, 9000, 0)]).toEqual(['no-time', 'no-time'])
  })

  it('begins at its fill exactly, and never in a window of nothing', () => {
    // 1 + 2 + 197 characters are half of 400.
    const trim = { softTrimRatio: 0.5, hardClear: false }
    expect(run(results(196).messages, trim)).toBe('below-trim')
    expect(run(results(197).messages, trim)).toEqual([])
    const none = prunableContext(results(197).messages, policyWith(), { window: 0, age: 1000 })
    expect(pruneByCacheTtl(none)).toEqual({ decisions: [], idle: 'below-trim' })
  })

  it('clears from its fill on, the oldest first, until the fill is below it', () => {
    expect(run(results(100, 94).messages)).toEqual([])
    expect(run(results(100, 95).messages)).toEqual(['2 clear 100→6'])
    // 300 characters; without the first 200, which is the fill still; without the second 106.
    expect(run(results(106, 100, 87).messages)).toEqual(['2 clear 106→6', '4 clear 100→6'])
    expect(run(results(106, 100, 86).messages)).toEqual(['2 clear 106→6'])
    expect(run(results(106, 100, 87).messages, { hardClear: false })).toEqual([])
  })

  it('clears only what is worth it: the characters that could go, exactly', () => {
    expect(run(results(106, 100, 87).messages, { minPrunableChars: 293 })).toHaveLength(2)
    expect(run(results(106, 100, 87).messages, { minPrunableChars: 294 })).toEqual([])
  })

  it('looks at what the trim has left before it clears', () => {
    const note = '\n\n[Tool result trimmed: kept first 10 chars and last 10 chars of 900 chars.]'
    const trimmed = 10 + 5 + 10 + note.length
    expect(trimmed).toBe(101)
    const two = results(900, 900).messages
    // 1 + 4 + 202 characters are left: more than half of 400.
    expect(run(two, { softTrimMaxChars: 899 })).toEqual(['2 clear 900→6', `4 trim 900→${trimmed}`])
    expect(run(two, { softTrimMaxChars: 899, minPrunableChars: 2 * trimmed })).toHaveLength(2)
    expect(run(two, { softTrimMaxChars: 899, minPrunableChars: 2 * trimmed + 1 })).toEqual([
      ...[`2 trim 900→${trimmed}`, `4 trim 900→${trimmed}`],
    ])
    expect(run(two, { softTrimMaxChars: 899, hardClearRatio: 0.6 })).toEqual([
      ...[`2 trim 900→${trimmed}`, `4 trim 900→${trimmed}`],
    ])
    expect(run(two, { softTrimMaxChars: 900, hardClear: false })).toEqual([])
  })

  it('decides nothing about a result that is the placeholder already, unless it has more in it', () => {
    const [first, , ...rest] = new Prunable()
      .user('u')
      .call('a', {}, '[gone]')
      .call('b', {}, 'x'.repeat(400)).messages
    expect(
      run([first, ...new Prunable().call('a', {}, '[gone]').messages, ...rest.slice(1)] as RawMessage[]),
    ).toEqual(['4 clear 400→6'])
    const withImage = new Prunable().user('u').call('a', {}, '[gone]', { images: 1 }).messages
    // An image weighs 8,000 characters; once it is trimmed, its marker takes its place.
    const left = '[gone]\n[image removed during context pruning]'.length
    expect(run(withImage, { hardClear: false })).toEqual([`2 trim 8006→${left}`])
    expect(run(withImage, { hardClearRatio: 0.1 })).toEqual(['2 clear 8006→6'])
    const twice = new Prunable().user('u').call('a', {}, '[gone]').call('b', {}, 'x'.repeat(400)).messages
    const parts = twice.map((message, at) =>
      at === 2
        ? {
            ...message,
            content: [
              { type: 'text', text: '[gone]' },
              { type: 'text', text: '' },
            ],
          }
        : message,
    )
    expect(run(parts)).toEqual(['2 clear 6→6', '4 clear 400→6'])
  })

  it('clears a placeholder beside an image, of which a live agent knows by count alone', () => {
    const made = context(results(6, 400).messages)
    const [isClear, withImage] = [0, 1].map((images) => {
      const messages = made.messages.map((message, at) =>
        at === 2 ? { ...message, parts: ['[gone]'], images } : message,
      )
      return pruneByCacheTtl({ ...made, messages }).decisions.filter(({ action }) => action === 'clear')
    })
    expect(isClear?.map(({ at }) => at)).toEqual([4])
    expect(withImage?.map(({ at }) => at)).toEqual([2, 4])
  })

  it('trims a placeholder that is longer than results may be, as the runtime does', () => {
    const trim = { softTrimMaxChars: 5, softTrimHeadChars: 1, softTrimTailChars: 1, hardClear: false }
    const made = new Prunable().user('u').call('a', {}, '[gone]').messages
    const note = '\n\n[Tool result trimmed: kept first 1 chars and last 1 chars of 6 chars.]'
    expect(run(made, { ...trim, softTrimRatio: 0 })).toEqual([`2 trim 6→${1 + 5 + 1 + note.length}`])
  })

  it('says of each result what is done with it, and nothing of one that stays', () => {
    const given = {
      ...{ window: 100, chars: 500, prunable: [1, 2, 3], placeholderChars: 6, isCleared: () => false },
      ...{ sizeOf: () => 150, trimmed: (at: number) => (at === 2 ? 101 : null) },
    }
    const { cacheTtl } = policyWith().pruning
    expect(byFill({ ...cacheTtl, hardClearRatio: 0.9 }, given)).toEqual([
      ...[
        { at: 1, action: 'clear', charsAfter: 6 },
        { at: 2, action: 'trim', charsAfter: 101 },
      ],
    ])
  })

  it('decides as the runtime does also where the placeholder is longer than what it replaces', () => {
    expect(run(results(3, 400).messages)).toEqual(['2 clear 3→6', '4 clear 400→6'])
  })

  it('touches nothing before the first message of the user, nor behind the newest answers', () => {
    const [user, ...rest] = results(100, 100, 100).messages
    const ratio = { hardClearRatio: 0.1 }
    expect(run(rest, ratio)).toEqual([])
    expect(run([...rest.slice(0, 2), user, ...rest.slice(2)] as RawMessage[], ratio)).toHaveLength(2)
    // Answers: three with a call each. The results of the newest so many stay.
    const kept = (keepLastAssistants: number) =>
      run(results(100, 100, 100).messages, { ...ratio, keepLastAssistants })
    expect([kept(0), kept(1), kept(2)].map((found) => found.length)).toEqual([3, 2, 1])
    expect([kept(3), kept(4)]).toEqual([[], 'few-answers'])
    // The third answer from the end is the very first message.
    expect(run(rest, { ...ratio, keepLastAssistants: 3 })).toEqual([])
  })

  it('leaves what is protected, and what a rule before has cleared', () => {
    expect(run(results(100, 200).messages, {}, { keepTools: ['tool0'] })).toEqual(['4 clear 200→6'])
    // The same call twice: the first result is cleared as repeated, the second is left to this rule.
    const made = new Prunable().user('u')
    for (const _ of [1, 2]) made.call('a', {}, 'x'.repeat(300))
    const plan = prunePlan(context(made.messages), ['duplicates', 'cache-ttl'])
    expect(plan.decisions.map(({ at, rule }) => `${at} ${rule}`)).toEqual(['2 duplicates', '4 cache-ttl'])
    const trims = prunePlan(
      context(made.messages, {
        softTrimMaxChars: 4,
        hardClear: false,
        softTrimHeadChars: 0,
        softTrimTailChars: 0,
      }),
      [...(['duplicates', 'cache-ttl'] as const)],
    )
    expect(trims.decisions.map(({ at, rule }) => `${at} ${rule}`)).toEqual(['2 duplicates', '4 cache-ttl'])
  })
})
