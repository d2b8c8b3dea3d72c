import { describe, expect, test } from 'vitest'
import { originalOf } from '../../core/cold/original-text'
import type { ColdRecord } from '../../core/cold/record'
import type { ContentMessage } from '../../core/history/thinking'
import { transientCold } from '../../engine/cold/transient-cold'
import { createContext } from './create-context'

const OPTIONS = { model: 'claude-sonnet-4-5', window: 32_000, session: 'log' } as const
type Block = { type: string; [field: string]: unknown }

/** Turns with a call and its result each, of some 330 tokens. */
const talk = (turns: number): ContentMessage[] =>
  Array.from({ length: turns }, (_, at): ContentMessage[] => [
    { role: 'user', content: `Where does ship ${at} lie?` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'read', input: { at } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: `c${at}`, content: `ship ${at} ${'berth crane '.repeat(150)}` },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: `At berth ${at}.` }] },
  ]).flat()

/** Tests change and freeze what they are given. */
const ask = (): ContentMessage => ({ role: 'user', content: 'And now?' })

/** Messages as cold storage has them, in the order of the conversation. */
function originals(chunks: readonly ColdRecord[]): unknown[] {
  return chunks.toReversed().flatMap(({ messages = [] }) => messages.map(originalOf))
}

describe('V2 what has left is kept as it was', () => {
  test('also when the caller changes his messages before anybody looks', async () => {
    const cold = transientCold()
    const messages = [...talk(60), ask()]
    const before = structuredClone(messages)
    const { messages: sent } = await createContext({ ...OPTIONS, cold }).fit(messages)
    const left = before.slice(0, messages.length - sent.length + 1)
    for (const message of messages) {
      for (const block of Array.isArray(message.content) ? (message.content as Block[]) : []) {
        block.text = 'changed'
        block.content = 'changed'
        block.input = {}
      }
      Object.assign(message, { content: 'changed', more: true })
    }
    const { chunks } = await cold.list()
    expect(originals(chunks)).toEqual(left)
    expect(chunks.every(({ content }) => !content.includes('changed'))).toBe(true)
  })

  test('and frozen messages, and a store asked at once, give the same chunks', async () => {
    const frozen = (value: unknown): unknown => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
      return value
    }
    const now = () => 1_800_000_000_000
    const [later, atOnce] = [transientCold(), transientCold()]
    const put: (typeof atOnce)['put'] = (records) => atOnce.put(records)
    const one = await createContext({ ...OPTIONS, now, cold: later }).fit(
      frozen([...talk(60), ask()]) as ContentMessage[],
    )
    const other = await createContext({ ...OPTIONS, now, cold: { ...atOnce, put } }).fit([...talk(60), ask()])
    expect((await later.list()).chunks).toEqual((await atOnce.list()).chunks)
    expect(one.done.dropped).toEqual(other.done.dropped)
    expect(one.done.dropped.length).toBeGreaterThan(40)
  })

  test('bytes and dates, of which no plain copy can be made, are written out at once', async () => {
    const cold = transientCold()
    const [first, ...rest] = talk(60)
    const seal = new Uint8Array([1, 2])
    const messages = [{ ...first, sentAt: new Date(0), seal }, ...rest, ask()]
    await createContext({ ...OPTIONS, cold }).fit(messages)
    seal.fill(9)
    expect(originals((await cold.list()).chunks)[0]).toEqual({
      ...first,
      sentAt: new Date(0),
      seal: new Uint8Array([1, 2]),
    })
  })

  test('a store that is made of another one keeps by its own `put`', async () => {
    const kept: string[] = []
    const store = transientCold()
    const cold = {
      ...store,
      put: (records: readonly ColdRecord[]) => {
        for (const { chunkId } of records) kept.push(chunkId)
        return store.put(records)
      },
    }
    const { done } = await createContext({ ...OPTIONS, cold }).fit([...talk(60), ask()])
    expect(done.dropped.map(({ id }) => id)).toEqual(kept)
  })
})

test('V2: items of Responses that are there by reference leave and stay with their outputs, as they came', async () => {
  const turn = (at: number): ContentMessage[] => [
    { role: 'user', content: `Where does ship ${at} lie?` },
    { type: 'item_reference', id: `fc_${at}` },
    {
      type: 'function_call_output',
      call_id: `call_${at}`,
      output: `ship ${at} ${'berth crane '.repeat(150)}`,
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `At berth ${at}.` }] },
  ]
  const messages = [...Array.from({ length: 60 }, (_, at) => turn(at)).flat(), ask()]
  const before = structuredClone(messages)
  const cold = transientCold()
  const { messages: sent, done } = await createContext({ ...OPTIONS, cold }).fit(messages)
  expect(done.steps).toContain('compact')
  const stays = sent.filter((message) => messages.includes(message))
  expect(stays).toEqual(before.slice(-stays.length))
  const ids = (type: string) =>
    stays
      .filter((one) => one.type === type)
      .map(({ id, call_id }) => String(id ?? call_id).replace(/\D/g, ''))
  expect(ids('item_reference')).toEqual(ids('function_call_output'))
  const { chunks } = await cold.list()
  expect(originals(chunks)).toEqual(before.slice(0, before.length - stays.length))
  // A reference and its output are one chunk.
  const parted = chunks.filter(({ messages: own = [] }) =>
    own.some((text) => text.includes('item_reference')),
  )
  expect(parted.every(({ messages: own = [] }) => own.some((text) => text.includes('_output')))).toBe(true)
})
