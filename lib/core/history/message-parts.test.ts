import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversations, inForm, MESSAGE_FORMS } from '../../testing/builders/conversations'
import { refusedBy } from '../../testing/builders/provider-check'
import { runs } from '../../testing/runs'
import { countMessage } from './count-message'
import { joinParts, splitMessages } from './message-parts'
import { findUnpaired, isResult, withoutOrphans } from './pairing'
import type { ContentMessage } from './thinking'

describe.each(MESSAGE_FORMS)('parts of messages of the form %s', (form) => {
  it('C8 each result is a separate part with the call that it answers, and every call is found', () => {
    fc.assert(
      fc.property(conversations(), (steps) => {
        const parts = splitMessages(inForm(form, steps))
        const made = steps.flatMap((step) => (step.kind === 'answer' ? step.calls.map(({ id }) => id) : []))
        expect(parts.flatMap(({ calls }) => (calls ?? []).map(({ id }) => id))).toEqual(made)
        expect(parts.filter(isResult).map(({ resultFor }) => resultFor)).toEqual(made)
        expect(findUnpaired(inForm(form, steps))).toEqual({ orphans: [], unanswered: [] })
      }),
      runs(40),
    )
  })

  it('C8 taking apart and putting together gives the same objects, also when it is done twice', () => {
    fc.assert(
      fc.property(conversations(), (steps) => {
        const messages = inForm(form, steps)
        const whole = structuredClone(messages)
        const again = joinParts(splitMessages(joinParts(splitMessages(messages))))
        expect(again.length).toBe(messages.length)
        for (const [at, message] of again.entries()) expect(message).toBe(messages[at])
        expect(messages).toEqual(whole)
        const second = splitMessages(messages)
        expect(splitMessages(messages).every((part, at) => part === second[at])).toBe(true)
      }),
      runs(40),
    )
  })

  it('C8 whatever pairs are taken out, what is left is whole in the form in which it came', () => {
    fc.assert(
      fc.property(conversations(), fc.infiniteStream(fc.boolean()), (steps, choices) => {
        const kept = withoutOrphans(
          splitMessages(inForm(form, steps)).filter(
            (part) => isResult(part) || choices.next().value === true,
          ),
        )
        const refused = refusedBy(form, joinParts(kept)).filter((line) => line.includes('answers no call'))
        expect(refused).toEqual([])
      }),
      runs(40),
    )
  })

  it('C8 a result that is taken out of a message leaves the others where they are', () => {
    const calls = [1, 2, 3].map((n) => ({ id: `call_${n}`, path: 'a.md', result: `said ${n}` }))
    const answer = { kind: 'answer', text: 'See.', thinks: true, aside: 'And hurry.', calls } as const
    const messages = inForm(form, [{ kind: 'ask', text: 'Which?', image: false }, answer])
    const left = joinParts(splitMessages(messages).filter(({ resultFor }) => resultFor !== 'call_2'))
    const text = JSON.stringify(left)
    expect([text.includes('said 1'), text.includes('said 2'), text.includes('said 3')]).toEqual([
      true,
      false,
      true,
    ])
    expect(left[0]).toBe(messages[0])
  })

  it('B2 all that a message holds is counted: thinking, calls, results and pictures', () => {
    const calls = [{ id: 'c1', path: 'a.md', result: 'crane '.repeat(4_000) }]
    const answer = { kind: 'answer', text: 'See.', thinks: false, aside: '', calls } as const
    const plain = inForm(form, [{ kind: 'ask', text: 'Which?', image: false }, answer])
    const sum = (list: readonly ContentMessage[]) =>
      list.reduce((tokens, message) => tokens + countMessage(message), 0)
    expect(sum(plain)).toBeGreaterThan(3_900)
    expect(sum(plain)).toBeLessThan(4_700)
    expect(
      sum(inForm(form, [{ kind: 'ask', text: 'Which?', image: true }])) - countMessage(plain[0] ?? {}),
    ).toBe(1_200)
    const more = inForm(form, [
      { ...answer, calls: [{ ...(calls[0] ?? { id: '', result: '' }), path: 'dir/'.repeat(900) }] },
    ])
    expect(sum(more) - sum(plain.slice(1))).toBeGreaterThan(1_000)
    expect(sum([])).toBe(0)
  })
})

it('B2 what the provider ran itself needs no result of ours and is counted', () => {
  const message = {
    role: 'assistant',
    content: [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'berths' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ title: 'quay '.repeat(500) }] },
    ],
  }
  expect(findUnpaired([message])).toEqual({ orphans: [], unanswered: [] })
  expect(countMessage(message)).toBeGreaterThan(480)
})

it('C8 of a message with several results only the orphaned one goes', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: {} }] }
  const block = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id })
  const results = { role: 'user', content: [block('a'), block('b'), { type: 'text', text: 'Go on.' }] }
  expect(findUnpaired([call, results])).toEqual({ orphans: [1], unanswered: [] })
  expect(withoutOrphans([call, results])).toEqual([
    call,
    { role: 'user', content: [block('a'), { type: 'text', text: 'Go on.' }] },
  ])
})
