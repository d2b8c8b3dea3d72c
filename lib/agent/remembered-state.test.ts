import { describe, expect, test } from 'vitest'
import { AGENT_START, type AgentState, transientMemory } from '../engine/knowledge/agent-memory'
import { CONTENT_FORM } from './content-form'
import { placeOf, RememberedState, startCycle } from './remembered-state'

const SESSION = 'agent:harbour:main'
const turn = (state: AgentState): AgentState => ({ ...state, turns: state.turns + 1 })

/** A memory that counts how often it is asked, and fails at `broken`. */
function opened(broken: readonly string[] = []) {
  const memory = transientMemory()
  const calls: string[] = []
  const counted = <A extends readonly unknown[], T>(name: string, work: (...given: A) => Promise<T>) => {
    return (...given: A): Promise<T> => {
      calls.push(name)
      return broken.includes(name) ? Promise.reject(new Error('disk gone')) : work(...given)
    }
  }
  const counting = { ...memory, load: counted('load', memory.load), save: counted('save', memory.save) }
  return { state: new RememberedState(counting, SESSION), calls, memory }
}

describe('V4 what is remembered of a conversation', () => {
  test('is read once, and what is not in it yet is as at the start', async () => {
    const { state, calls, memory } = opened()
    await memory.save(SESSION, { turns: 3 } as AgentState)
    expect(await state.get()).toEqual({ ...AGENT_START, turns: 3 })
    await state.get()
    expect(calls).toEqual(['load'])
  })

  test('is written when it changes, and not when nothing is different', async () => {
    const { state, calls, memory } = opened()
    expect(await state.update((known) => known)).toEqual(AGENT_START)
    expect(calls).toEqual(['load'])
    await state.update(turn)
    expect(calls).toEqual(['load', 'save'])
    expect(await memory.load(SESSION)).toMatchObject({ turns: 1 })
  })

  test('has every change, also of those that are made at once', async () => {
    const { state, memory } = opened()
    await Promise.all([state.update(turn), state.update(turn), state.update(turn)])
    expect(await memory.load(SESSION)).toMatchObject({ turns: 3 })
  })

  test('lasts as long as the process where the memory fails, which is said once', async () => {
    const { state } = opened(['load', 'save'])
    await state.update(turn)
    await state.update(turn)
    expect(await state.get()).toMatchObject({ turns: 2 })
    expect(state.takeProblems()).toEqual([
      `The memory of ${SESSION} cannot be read: disk gone`,
      `The memory of ${SESSION} cannot be written: disk gone`,
    ])
    expect(state.takeProblems()).toEqual([])
  })
})

test('after a compaction a cycle begins anew, and it is known where the conversation was', () => {
  const before = { ...AGENT_START, turns: 7, compactions: 2, waited: true }
  const messages = ['Berth 4.', 'Berth 5.'].map((content) => ({ role: 'user' as const, content }))
  const read: [unknown, number][] = []
  const form: Pick<typeof CONTENT_FORM, 'toSource'> = {
    toSource: (message, at) => {
      read.push([message, at])
      return CONTENT_FORM.toSource(message, at)
    },
  }
  const after = startCycle(before, form, messages)
  expect(after).toEqual({ ...AGENT_START, compactions: 3, compacted: { count: 2, key: expect.any(String) } })
  expect(read).toEqual([[messages[1], 1]])
  expect(placeOf(form, messages.slice(1).concat(messages.slice(0, 1)))?.key).not.toBe(after.compacted?.key)
  expect(placeOf(form, [])).toBeNull()
})
