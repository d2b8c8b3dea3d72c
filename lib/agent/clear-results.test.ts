import { expect, it } from 'vitest'
import { injectedSummary } from '../core/compaction/rolling'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { joinWorkSummary } from '../core/summary/work-summary'
import { sizeOf } from '../testing/live-conversation'
import { clearable, summaryRoom } from './clear-results'
import { CONTENT_FORM } from './content-form'

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
