import { describe, expect, test } from 'vitest'
import { AGENT_START, type AgentState, transientMemory } from '../engine/knowledge/agent-memory'
import { RememberedState } from './remembered-state'

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
