import { describe, expect, it } from 'vitest'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import type { MessageForm } from '../core/summary/message-form'
import { messageKey } from '../engine/knowledge/message-key'
import { rolledView, rollTo } from './rolling-summary'

type Message = {
  readonly role: string
  readonly name: string
  readonly tokens: number
  readonly summary?: true
}

const form: MessageForm<Message> = {
  tokensOf: ({ tokens }) => tokens,
  toSource: ({ name }, index) => ({
    entryId: name,
    line: index + 1,
    role: 'user',
    text: name,
    calls: [],
    images: 0,
  }),
  fromText: (text) => ({ role: 'user', name: text, tokens: 100, summary: true }),
  isSummary: ({ summary }) => summary === true,
}
const { policy } = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }])
const { windowTurns } = policy.summary.rolling
const turns = (count: number, tokens = 10_000): Message[] =>
  Array.from({ length: count }, (_, i) => ({ role: 'user', name: `m${i}`, tokens }))
/** A rolling summary of the first messages. */
const stateOf = (messages: readonly Message[], covered: number) => ({
  ...{ text: 'So far.', tokens: 100, covered },
  key: messageKey(form, messages[covered - 1] as Message, covered - 1),
})
const roll = (messages: readonly Message[], covered = 0, given = policy) =>
  rollTo(messages, rolledView(messages, covered === 0 ? null : stateOf(messages, covered), form), {
    ...{ policy: given, form, historyBudget: 200_000 },
  })

describe('E1 E2 E6 where a rolling summary begins', () => {
  it('before the last turns, once there is enough before them', () => {
    expect(roll(turns(windowTurns + 10))).toBe(10)
    expect(roll(turns(windowTurns + 10, 1))).toBeNull()
  })

  it('nowhere, where the last turns are all there is', () => {
    expect(roll(turns(windowTurns, 50_000))).toBeNull()
    expect(roll(turns(windowTurns - 1, 50_000))).toBeNull()
    expect(roll([])).toBeNull()
  })

  it('where there is one already, only for a part that is worth a request', () => {
    const talk = turns(windowTurns + 10)
    expect(roll(talk, 2)).toBe(10)
    expect(roll(talk, 10)).toBeNull()
    expect(roll(talk, 12)).toBeNull()
    // A quarter of the trigger, which is 30,000 here.
    const worth = (tokens: number) => [...turns(2), ...turns(1, tokens), ...turns(windowTurns)]
    expect(roll(worth(7_500), 2)).toBe(3)
    expect(roll(worth(7_499), 2)).toBeNull()
  })

  it('the first one for whatever there is before the last turns', () => {
    expect(roll([...turns(1, 1), ...turns(windowTurns)])).toBe(1)
  })

  it('not where the window is undivided, or nothing is to roll', () => {
    const talk = turns(windowTurns + 10)
    expect(roll(talk, 0, { ...policy, budget: { ...policy.budget, enabled: false } })).toBeNull()
    const off = { ...policy.summary, rolling: { ...policy.summary.rolling, enabled: false } }
    expect(roll(talk, 0, { ...policy, summary: off })).toBeNull()
  })
})

describe('E4 what is sent of a conversation', () => {
  it('its summary and what is not in it; of another conversation all of it', () => {
    const talk = turns(6)
    const state = stateOf(talk, 4)
    const view = rolledView(talk, state, form)
    expect(view.rest.map(({ name }) => name)).toEqual(['m4', 'm5'])
    expect(view.summary?.name).toContain('So far.')
    expect(view.rolling).toBe(state)
    for (const other of [
      rolledView(talk, null, form),
      rolledView(talk.slice(0, 3), state, form),
      rolledView(turns(6).reverse(), state, form),
    ])
      expect([other.summary, other.rolling]).toEqual([null, null])
    expect(rolledView(talk.slice(0, 3), state, form).rest).toHaveLength(3)
    const read: [string, number][] = []
    const reading: typeof form = {
      ...form,
      toSource: (message, at) => {
        read.push([message.name, at])
        return form.toSource(message, at)
      },
    }
    rolledView(talk, state, reading)
    expect(read).toEqual([['m3', 3]])
  })
})
