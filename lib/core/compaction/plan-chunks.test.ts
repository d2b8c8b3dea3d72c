import { describe, expect, it } from 'vitest'
import { shortPlanInput, shortPolicy } from '../../testing/builders/short-path'
import type { Policy } from '../policy/policy'
import { measured } from '../tokens/figure'
import { addCategories, categoriesOf, chunkOf, pairedGroups } from './known-groups'
import { makePlan } from './make-plan'
import type { CompactionPlan } from './plan'
import type { PlanInput } from './plan-input'

const plan = (words: string, keep: number, over: Partial<PlanInput> = {}): CompactionPlan => {
  const found = makePlan(shortPlanInput(words, keep, over))
  if (found.kind !== 'plan') throw new Error(found.why)
  return found
}
/** What becomes of each chunk behind the fixed one, as `ids action rule`. */
const actions = (...given: Parameters<typeof plan>) =>
  plan(...given)
    .chunks.slice(1)
    .map(({ entryIds, action, rule }) => `${entryIds.join('+')} ${action} ${rule}`)
const rolling = (keep: number, turns: number) => ({ policy: shortPolicy(keep, turns) })

describe('what becomes of each chunk, and by which rule', () => {
  it('a call and its results right behind it are one, also several results; others are by themselves', () => {
    expect(actions('u a:x,y r:y r:x a:z u r:z u a', 20)).toEqual([
      ...[
        'e1 summarise cut',
        'e2+e3+e4 summarise cut',
        'e5 summarise cut',
        'e6 summarise cut',
        'e7 summarise cut',
      ],
      ...['e8 keep newest', 'e9 keep tail'],
    ])
    const [, , group] = plan('u=1 a:x,y=20 r:y=300 r:x=7 u a', 20).chunks
    expect(group).toEqual({
      ...{ entryIds: ['e2', 'e3', 'e4'], seqs: [2, 3, 4], action: 'summarise', rule: 'cut', tokens: 327 },
      byCategory: { assistant: 20, 'tool-result': 307 },
    })
  })

  it('a result of another call is by itself, also right behind', () => {
    expect(actions('u a:x r:q u a', 20)).toEqual([
      ...['e1 summarise cut', 'e2 summarise cut', 'e3 summarise cut', 'e4 keep newest', 'e5 keep tail'],
    ])
  })

  it('the tail stays, the newest message of the user by its own rule, wherever it is', () => {
    expect(actions('u a u a a', 30)).toEqual([
      ...['e1 summarise cut', 'e2 summarise cut', 'e3 keep newest', 'e4 keep tail', 'e5 keep tail'],
    ])
    // Behind the cut nothing of the user: the newest one is in the summary word for word.
    expect(actions('u a u a a', 20)).toEqual([
      ...['e1 summarise cut', 'e2 summarise cut', 'e3 summarise asked', 'e4 keep tail', 'e5 keep tail'],
    ])
    expect(actions('a a b a', 20)).toEqual([
      'e1 summarise cut',
      'e2 summarise cut',
      'e3 keep tail',
      'e4 keep tail',
    ])
  })

  it('the beginning of a turn whose end stays is summarised by itself', () => {
    expect(actions('u a u a u a a a', 20)).toEqual([
      ...[
        'e1 summarise cut',
        'e2 summarise cut',
        'e3 summarise cut',
        'e4 summarise cut',
        'e5 summarise asked',
      ],
      ...['e6 summarise prefix', 'e7 keep tail', 'e8 keep tail'],
    ])
    const found = plan('u a u a u a a a', 20)
    expect(found.requests).toEqual({
      pruned: [],
      parts: [
        [1, 2],
        [3, 4],
      ],
      prefix: [5, 6],
      oversized: [],
    })
    expect(actions('u a b a a', 20).slice(0, 3)).toEqual([
      'e1 summarise asked',
      'e2 summarise cut',
      'e3 summarise prefix',
    ])
  })

  it('protected turns stay before the tail, and what belongs to a call or result that stays', () => {
    expect(actions('u a u a u a u a', 20, rolling(20, 2))).toEqual([
      ...['e1 summarise cut', 'e2 summarise cut', 'e3 summarise cut', 'e4 summarise cut'],
      ...['e5 keep turns', 'e6 keep turns', 'e7 keep newest', 'e8 keep tail'],
    ])
    expect(actions('u a u a:x u r:x a', 30)).toEqual([
      ...['e1 summarise cut', 'e2 summarise cut', 'e3 summarise prefix', 'e4 keep paired'],
      ...['e5 keep newest', 'e6 keep tail', 'e7 keep tail'],
    ])
    expect(actions('u a u a:x u a r:x u a', 20, rolling(20, 2))).toEqual([
      ...['e1 summarise cut', 'e2 summarise cut', 'e3 summarise prefix', 'e4 keep paired'],
      ...['e5 keep turns', 'e6 keep turns', 'e7 keep turns', 'e8 keep newest', 'e9 keep tail'],
    ])
  })

  it('what is marked as important leaves its place word for word; what is kept just stays', () => {
    expect(actions('u! a u a! u a', 20)).toEqual([
      ...['e1 summarise pinned', 'e2 summarise cut', 'e3 summarise cut', 'e4 summarise pinned'],
      ...['e5 keep newest', 'e6 keep tail'],
    ])
    // The newest message of the user by its own rule, also where it is marked.
    expect(actions('u a u! a a', 20)[2]).toBe('e3 summarise asked')
    expect(actions('u! a! u a', 20, { checkpoint: { uptoSeq: 2, tokens: 5 }, total: measured(10) })).toEqual([
      ...['e1 summarise pinned', 'e2 summarise pinned', 'e3 keep newest', 'e4 keep tail'],
    ])
  })

  it('an earlier summary is carried on, also one that is behind the cut', () => {
    expect(actions('u a c u a u a', 20)).toEqual([
      ...[
        'e1 summarise cut',
        'e2 summarise cut',
        'e3 summarise earlier',
        'e4 summarise cut',
        'e5 summarise cut',
      ],
      ...['e6 keep newest', 'e7 keep tail'],
    ])
    const behind = actions('u a u a c u a', 999, { manual: true, keptBy: () => 2 })
    expect(behind[4]).toBe('e5 summarise earlier')
  })

  it('D6 what no request can carry is left out; D9 what is above its share goes first', () => {
    expect(actions('u=417 a u a', 20)).toEqual([
      ...['e1 drop oversized', 'e2 summarise cut', 'e3 keep newest', 'e4 keep tail'],
    ])
    // Of 8 × 100 tokens half goes first; what stays, 700 tokens, is above 1.2 × half of the window.
    const found = plan('u=100 a=100 u=100 a=100 u=100 a=100 u=100 a=100 u=350 a=350', 700)
    expect(found.requests).toEqual({
      pruned: [1, 2, 3, 4],
      parts: [
        [5, 6],
        [7, 8],
      ],
      prefix: [],
      oversized: [],
    })
    expect(found.chunks.slice(1).map(({ action, rule }) => `${action} ${rule}`)).toEqual([
      ...Array<string>(4).fill('prune share'),
      ...Array<string>(4).fill('summarise cut'),
      ...['keep newest', 'keep tail'],
    ])
  })

  it('their tokens add up to the total, what is fixed is the first', () => {
    const found = plan('u=7 a:x=8 r:x=9 u a', 20, { fixed: { 'system-prompt': 30, residual: 12 } })
    expect(found.chunks[0]).toEqual({
      ...{ entryIds: [], seqs: [], action: 'keep', rule: 'fixed', tokens: 42 },
      byCategory: { 'system-prompt': 30, residual: 12 },
    })
    expect(found.chunks.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(42 + 7 + 8 + 9 + 20)
  })
})

describe('D9: which requests a compaction makes', () => {
  const eight = 'u=100 a=100 u=100 a=100 u=100 a=100 u=100 a=100'
  /** Requests where the window is 1,000 and the total is given, of which eight messages of 100 are summarised. */
  const requests = (total: number, more: Partial<Policy['compaction']> = {}) => {
    const policy = shortPolicy(20)
    const { requests: found } = plan(`${eight} u a`, 20, {
      ...{ recordTokensBefore: total, policy: { ...policy, compaction: { ...policy.compaction, ...more } } },
    })
    return found
  }

  it('history is pruned where what stays is above half of the window with its margin, not at it', () => {
    expect(requests(800 + 600).pruned).toEqual([])
    expect(requests(800 + 601).pruned).toEqual([1, 2, 3, 4])
    expect(requests(800 + 601, { mode: 'default' }).pruned).toEqual([])
  })

  it('is pruned by the policy’s parts, down to half of the window', () => {
    // Four parts of 200: two go until 400 are left of 500 that fit.
    expect(requests(9999, { parts: 4 }).pruned).toEqual([1, 2, 3, 4])
    expect(requests(9999, { parts: 8 }).pruned).toEqual([1, 2, 3])
  })

  it('is divided in parts where one request cannot carry it', () => {
    // A window of 100,000 carries 0.4 of it less 4,096 tokens in one request.
    const long = (size: number, more: Partial<Policy['compaction']> = {}) => {
      const policy = shortPolicy(20)
      const words = `${Array.from({ length: 4 }, () => `u=${size}`).join(' ')} u a`
      return plan(words, 20, {
        ...{
          window: 100_000,
          recordTokensBefore: 0,
          policy: { ...policy, compaction: { ...policy.compaction, ...more } },
        },
      }).requests.parts
    }
    expect(long(8000)).toEqual([[1, 2, 3, 4]])
    expect(long(8976)).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(long(8976, { minMessages: 5 })).toEqual([[1, 2, 3, 4]])
    expect(long(8976, { parts: 3 })).toHaveLength(3)
  })

  it('leaves out what is too large by the policy’s share', () => {
    const policy = shortPolicy(20)
    const oversized = (oversizedShare: number) =>
      plan('u=200 a u a', 20, { policy: { ...policy, compaction: { ...policy.compaction, oversizedShare } } })
        .requests.oversized
    expect([oversized(0.24), oversized(0.23)]).toEqual([[], [1]])
  })
})

describe('plans of one context, made again and again', () => {
  it('look the context through once, and hand out a chunk of the same decision as the same object', () => {
    const input = shortPlanInput('u a:x r:x u a u a', 20)
    expect(pairedGroups(input.context)).toBe(pairedGroups(input.context))
    expect(pairedGroups([...input.context])).not.toBe(pairedGroups(input.context))
    expect(categoriesOf(input.context)).toBe(categoriesOf(input.context))
    const [first, second] = [makePlan(input), makePlan(input)]
    if (first.kind !== 'plan' || second.kind !== 'plan') throw new Error('no plan')
    expect(second.chunks.slice(1).every((chunk, i) => chunk === first.chunks[i + 1])).toBe(true)
    const [group] = pairedGroups(input.context)
    if (group === undefined) throw new Error('no group')
    const cut = chunkOf(group, 'summarise', 'cut')
    expect(chunkOf(group, 'summarise', 'cut')).toBe(cut)
    expect(chunkOf(group, 'summarise', 'asked')).toMatchObject({ action: 'summarise', rule: 'asked' })
    expect(chunkOf(group, 'keep', 'asked')).toMatchObject({ action: 'keep', rule: 'asked' })
    expect(cut).toMatchObject({ action: 'summarise', rule: 'cut' })
  })

  it('an entry without an id has none in its chunk', () => {
    const input = shortPlanInput('u a:x r:x u a', 20)
    const nameless = input.context.map((part) => ({
      ...part,
      entry: { ...part.entry, fact: { ...part.entry.fact, id: null } },
    }))
    expect(pairedGroups(nameless).map(({ entryIds, seqs }) => [entryIds, seqs])).toEqual([
      ...[
        [[], [1]],
        [[], [2, 3]],
        [[], [4]],
        [[], [5]],
      ],
    ])
  })

  it('what the chunks come to is known without them, and they add up to it', () => {
    const input = shortPlanInput('u=30 a:x=4 r:x=6 u=9 a=3 u=2 a=1', 6)
    const made = makePlan(input)
    if (made.kind !== 'plan') throw new Error('no plan')
    const { chunks, tokensBefore, tokensAfter, summary, after } = made
    const gone = chunks.filter(({ action }) => action !== 'keep')
    const tokens = gone.reduce((sum, chunk) => sum + chunk.tokens, 0)
    expect(gone.length).toBeGreaterThan(0)
    expect(tokensAfter.value).toBe((tokensBefore.value ?? 0) - tokens + summary.tokens)
    const kept = chunks.filter(({ action }) => action === 'keep').map(({ byCategory }) => byCategory)
    expect(after).toEqual(addCategories([...kept, { summary: summary.tokens }]))
    expect(made.chunks).toBe(chunks)
  })

  it('a chunk of one entry holds what the entry holds, not a copy', () => {
    const { context } = shortPlanInput('u a:x r:x', 20)
    expect(pairedGroups(context)[0]?.byCategory).toBe(context[0]?.byCategory)
  })

  it('entries that say that they are of one category come to the same sums', () => {
    const plain = shortPlanInput('u=5 a=7 u=3 a=0', 20).context.map((one, at) =>
      at === 1 ? { ...one, tokens: 9, byCategory: { assistant: 7, thinking: 2 } } : one,
    )
    const marked = plain.map((one, at) => (at === 1 ? one : { ...one, isOfOne: true }))
    expect(categoriesOf(marked)).toEqual(categoriesOf(plain))
    expect(categoriesOf(marked)).toEqual({ user: 8, assistant: 7, thinking: 2 })
    const nothing = shortPlanInput('u=0', 20).context.map((one) => ({ ...one, isOfOne: true }))
    expect(Object.keys(categoriesOf(nothing))).toEqual([])
  })

  it('categories that hold nothing are left out of the sums', () => {
    expect(categoriesOf(shortPlanInput('u=0 a=5 a=7', 20).context)).toEqual({ assistant: 12 })
  })
})
