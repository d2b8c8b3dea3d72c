import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../../core/history/thinking'
import { createContext } from './create-context'

/** As they come where the provider keeps what it said (`store`): the caller sends ids, and what its tools answered. */
const REFERENCES = {
  'with their type': (id: string) => ({ type: 'item_reference', id }),
  'without a type': (id: string) => ({ id }),
  'with null for a type': (id: string) => ({ type: null, id }),
} as const

const CALLS = 2

function turnOf(turn: number, reference: (id: string) => object): object[] {
  const ids = Array.from({ length: CALLS }, (_, i) => `${turn}_${i}`)
  return [
    { role: 'user', content: `Question ${turn}: what does the log say?` },
    { type: 'item_reference', id: `rs_${turn}` },
    ...ids.map((id) => reference(`fc_${id}`)),
    ...ids.map((id) => ({
      type: 'function_call_output',
      call_id: `call_${id}`,
      output: `Log ${id}: ${'the crane lifts cargo. '.repeat(250)}`,
    })),
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `Answer ${turn}.` }] },
  ]
}

const idsOf = (messages: readonly object[], field: 'id' | 'call_id', head: string) =>
  messages
    .map((message) => String((message as { id?: unknown; call_id?: unknown })[field] ?? ''))
    .filter((id) => id.startsWith(head))
    .map((id) => id.slice(head.length))

describe.each(Object.entries(REFERENCES))(
  'C8 J7 items of Responses that are there %s',
  (_name, reference) => {
    test('are sent as they came where nothing is due, with the outputs behind them', async () => {
      const messages = [0, 1, 2].flatMap((turn) => turnOf(turn, reference)) as ContentMessage[]
      const { messages: sent } = await createContext({ model: 'gpt-5', window: 64_000 }).fit(messages)
      expect(sent).toEqual(messages)
    })

    test('stay with their outputs, or leave with them, whatever is compacted', async () => {
      const context = createContext({ model: 'gpt-5', window: 20_000 })
      let list: readonly ContentMessage[] = []
      let compactions = 0
      for (let turn = 0; turn < 10; turn++) {
        list = [...list, ...(turnOf(turn, reference) as ContentMessage[])]
        const { messages } = await context.fit(list)
        const [calls, outputs] = [idsOf(messages, 'id', 'fc_'), idsOf(messages, 'call_id', 'call_')]
        expect(outputs).toEqual(calls)
        // What was asked for last has its answer.
        expect(outputs.slice(-CALLS)).toEqual(Array.from({ length: CALLS }, (_, i) => `${turn}_${i}`))
        if (messages.length < list.length) compactions += 1
        list = messages
      }
      expect(compactions).toBeGreaterThan(1)
      const found = await context.search('Log 0_1')
      expect(found.some(({ text }) => text.includes('Log 0_1:'))).toBe(true)
    })
  },
)
