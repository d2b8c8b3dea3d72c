import { describe, expect, it } from 'vitest'
import { injectedSummary } from '../core/compaction/rolling'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { joinWorkSummary } from '../core/summary/work-summary'
import { estimateUnits } from '../core/tokens/estimate'
import { SummaryChain } from '../engine/summary/summary-chain'
import { sizeOf } from '../testing/live-conversation'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { clearable, clearResults, summaryRoom } from './clear-results'
import { CONTENT_FORM } from './content-form'
import type { LiveParts } from './live-parts'
import { livePruneContext } from './live-pruning'

it('E7 results can go that become smaller by it; not those whose form has no way to write a text', () => {
  const long = { role: 'toolResult', resultFor: 'a', content: 'berth '.repeat(400) }
  const short = { role: 'toolResult', resultFor: 'b', content: 'b' }
  const same = { role: 'toolResult', resultFor: 'd', content: DEFAULT_POLICY.pruning.placeholder }
  /** Of another form, which says what it has in a separate field. */
  const own = { role: 'toolResult', resultFor: 'c', said: 'berth '.repeat(400) }
  const { withText: _withText, ...withoutText } = CONTENT_FORM
  const tokensOf = (message: object) => ('said' in message ? 400 : sizeOf(message as typeof long))
  const going = clearable(
    { form: { ...withoutText, tokensOf }, policy: DEFAULT_POLICY },
    [long, short, own, same],
    [0, 1, 2, 3, 4],
  )
  expect(going.map(({ at }) => at)).toEqual([0])
  const [{ message, freed } = { message: short, freed: 0 }] = going
  expect(freed).toBe(sizeOf(long) - sizeOf(message as typeof long))
  const shown = { role: 'toolResult', resultFor: 'c', content: 'gone' }
  const form = { ...withoutText, withText: () => shown, tokensOf }
  expect(clearable({ form, policy: DEFAULT_POLICY }, [own], [0])).toEqual([
    { at: 0, message: shown, freed: 400 - sizeOf(shown) },
  ])
})

it('E7 room for a summary is what the longest one takes at the head of the context, where there is one', () => {
  const tokensOf = ({ content }: { readonly content?: unknown }) => String(content).length
  const form = { ...CONTENT_FORM, tokensOf }
  const { targetTokens } = DEFAULT_POLICY.summary
  const room = (summarizeFirst: boolean) =>
    summaryRoom({
      form,
      policy: { ...DEFAULT_POLICY, pruning: { ...DEFAULT_POLICY.pruning, summarizeFirst } },
    })
  const longest = joinWorkSummary({ rest: '', work: 'x'.repeat(targetTokens) })
  expect(room(true)).toBe(tokensOf(CONTENT_FORM.fromText(injectedSummary(longest))))
  expect(room(false)).toBe(0)
})

describe('E7 D21 what becomes of the summary at the head of a context', () => {
  const look = (id: string, path: string): ContentMessage[] => [
    {
      role: 'assistant',
      calls: [{ id }],
      content: [{ type: 'toolCall', id, name: 'read', arguments: { path } }],
    },
    { role: 'toolResult', resultFor: id, content: `${path} ${'berth '.repeat(100)}` },
  ]
  const said = 'Now all is done.'
  const clearing = async (
    as: 'work' | 'results',
    head: string | null,
    more: { readonly summarizeFirst?: boolean; readonly isHidden?: boolean } = {},
  ) => {
    const { summarizeFirst = true, isHidden = false } = more
    const model = scriptedSummarizer('a/m', [said])
    const first = head === null ? [] : [CONTENT_FORM.fromText(injectedSummary(head))]
    const messages = [...first, ...look('a', 'a.ts'), ...look('b', 'b.ts')]
    const toSource: typeof CONTENT_FORM.toSource = (message, at) =>
      isHidden && CONTENT_FORM.isSummary(message) ? null : CONTENT_FORM.toSource(message, at)
    const parts = {
      policy: { ...DEFAULT_POLICY, pruning: { ...DEFAULT_POLICY.pruning, summarizeFirst } },
      ...{ window: 32_000, form: { ...CONTENT_FORM, toSource, tokensOf: sizeOf } },
      agent: { clock: { now: () => 0 }, chain: new SummaryChain([model], standingClock()) },
      summary: { sizeOf: estimateUnits, mask: (text: string) => text, isSecret: () => false },
    } as unknown as LiveParts<ContentMessage>
    const context = livePruneContext(parts, messages, null)
    const done = await clearResults(
      parts,
      messages,
      context,
      clearable(parts, messages, [first.length + 1]),
      as,
    )
    if (done.kind !== 'cleared') throw new Error(done.kind)
    return { ...done, asked: model.asked.map(({ prompt }) => prompt.user).join() }
  }
  const before = joinWorkSummary({ rest: 'So far.', work: 'First.' })

  it.each<['work' | 'results', string | null, string, string]>([
    ['results', null, '', said],
    ['results', 'So far.', 'So far.', said],
    ['results', before, 'So far.', `First.\n\n${said}`],
    ['work', null, '', said],
    ['work', before, 'So far.', said],
  ])('with %s behind %j', async (as, head, rest, work) => {
    const { summary, notes, asked } = await clearing(as, head)
    expect(summary).toBe(joinWorkSummary({ rest, work }))
    expect(notes).toEqual([])
    expect(asked).toContain('a.ts')
    expect(asked).not.toContain('b.ts')
  })

  it('where nobody may read it, it is another one; where the policy has none, there is none', async () => {
    const { summary, messages } = await clearing('results', before, { isHidden: true })
    expect(summary).toBe(joinWorkSummary({ rest: '', work: said }))
    expect(messages).toHaveLength(5)
    expect(await clearing('results', null, { summarizeFirst: false })).toMatchObject({
      ...{ summary: null, notes: [], asked: '' },
    })
  })
})
