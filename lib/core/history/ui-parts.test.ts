import { beforeEach, describe, expect, it } from 'vitest'
import { formOf } from '../forms/form-of'
import { countMessage } from './count-message'
import { gapResult } from './message-craft'
import { joinParts, splitMessages } from './message-parts'
import { findUnpaired, isResult } from './pairing'
import { settlePairs } from './settle-pairs'
import type { ContentMessage } from './thinking'
import { asUiMessages } from './ui-parts'

const tool = (id: string, output: unknown) => ({
  type: 'tool-read',
  toolCallId: id,
  state: 'output-available',
  input: { path: `${id}.md` },
  output,
})
const step = { type: 'step-start' }
const text = (said: string) => ({ type: 'text', text: said, state: 'done' })

/** A turn of three steps in one message, as `useChat` keeps it. */
const TURN = {
  id: 'a1',
  role: 'assistant',
  metadata: { model: 'm' },
  parts: [
    step,
    text('First.'),
    tool('c1', 'berth 4'),
    tool('c2', { free: [4, 5] }),
    { type: 'source-url', sourceId: 's', url: 'https://t.example' },
    step,
    { type: 'reasoning', text: 'Hm.' },
    { ...tool('c3', undefined), state: 'output-error', errorText: 'no such file' },
    step,
    text('Done.'),
  ],
} as ContentMessage
const ASK = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Which berth?' }] } as ContentMessage

let turn: ContentMessage
let ask: ContentMessage
// Objects of which no part is known yet.
beforeEach(() => {
  turn = structuredClone(TURN)
  ask = structuredClone(ASK)
})

describe('C8 a UIMessage of the AI SDK', () => {
  it('is an answer for each step, with its calls, and a result for each tool', () => {
    const parts = splitMessages([ask, turn])
    expect(parts.map(({ role, calls, resultFor }) => [role, calls?.map(({ id }) => id), resultFor])).toEqual([
      ['user', undefined, undefined],
      ['assistant', ['c1', 'c2'], undefined],
      ['toolResult', undefined, 'c1'],
      ['toolResult', undefined, 'c2'],
      ['assistant', ['c3'], undefined],
      ['toolResult', undefined, 'c3'],
      ['assistant', [], undefined],
    ])
    expect(parts.filter(isResult).map(({ content, isError }) => [content, isError])).toEqual([
      ['berth 4', undefined],
      ['{"free":[4,5]}', undefined],
      ['no such file', true],
    ])
    expect(findUnpaired([turn])).toEqual({ orphans: [], unanswered: [] })
    expect(joinParts(parts)[1]).toBe(turn)
  })

  it('has its id in one part alone, and what is known of it in each result as well', () => {
    const parts = splitMessages([{ ...turn, timestamp: 7, important: true }])
    expect(parts.map((part) => (part as { id?: unknown }).id)).toEqual(['a1', ...Array(5).fill(undefined)])
    for (const result of parts.filter(isResult))
      expect(result).toMatchObject({ timestamp: 7, important: true })
    for (const result of splitMessages([turn]).filter(isResult))
      for (const field of ['timestamp', 'important']) expect(result).not.toHaveProperty(field)
  })

  it('gets what a changed result says, in the block of its call; all else is the same object', () => {
    const parts = splitMessages([turn]).map((part) =>
      part.resultFor === 'c2' || part.resultFor === 'c3'
        ? { ...part, content: [{ type: 'text', text: '[cleared]' }] }
        : part,
    )
    const [changed] = joinParts(parts) as (typeof turn & { parts: unknown[] })[]
    const before = (turn as typeof turn & { parts: unknown[] }).parts
    expect(changed).toMatchObject({ id: 'a1', metadata: { model: 'm' } })
    expect(changed?.parts[3]).toEqual({ ...tool('c2', '[cleared]') })
    expect(changed?.parts[7]).toMatchObject({ state: 'output-error', errorText: '[cleared]' })
    for (const at of [0, 1, 2, 4, 5, 6, 8, 9]) expect(changed?.parts[at]).toBe(before[at])
    expect(formOf([ask, changed])).toBe('ai-sdk-ui')
  })

  it('loses whole steps, and never half a tool', () => {
    const [kept] = joinParts(splitMessages([turn]).filter((_, at) => at > 2)) as { parts: unknown[] }[]
    expect(JSON.stringify(kept)).not.toContain('c1')
    expect(kept?.parts.map((part) => (part as { type: string }).type)).toEqual([
      'step-start',
      'reasoning',
      'tool-read',
      'step-start',
      'text',
    ])
  })

  it('is counted once: what its tools were asked and said, not what only the screen shows', () => {
    const said = 'berth crane ledger '.repeat(300)
    const one = { ...turn, parts: [step, tool('c1', said)] } as ContentMessage
    expect(countMessage(one)).toBeGreaterThan(900)
    expect(countMessage(one)).toBeLessThan(1_000)
    const shown = { ...turn, parts: [step, { type: 'data-chart', data: said }] } as ContentMessage
    expect(countMessage(shown)).toBeLessThan(10)
    const sum = splitMessages([turn]).reduce(
      (tokens, part) => tokens + countMessage(joinParts([part])[0] ?? {}),
      0,
    )
    expect(sum).toBeGreaterThanOrEqual(countMessage(turn))
  })

  it('says of a call without a result that there is none', () => {
    const open = {
      id: 'a0',
      role: 'assistant',
      parts: [
        step,
        { type: 'tool-read', toolCallId: 'c9', state: 'input-available', input: {} },
        step,
        text('So.'),
      ],
    } as ContentMessage
    const { messages, gaps } = settlePairs(splitMessages([open, ask]), gapResult)
    expect(gaps).toEqual(['c9'])
    const [settled] = joinParts(messages) as { parts: unknown[] }[]
    expect(settled?.parts[1]).toMatchObject({ type: 'tool-read', toolCallId: 'c9', state: 'output-error' })
    expect(settled?.parts).toHaveLength(4)
    expect(joinParts(messages)).toHaveLength(2)
  })

  it('has one of its kind made of a text, with an id that no other has', () => {
    const made = { role: 'user', content: 'Summary' } as ContentMessage
    const ui = asUiMessages([made, made, ask], []) as { id: string; parts: unknown[] }[]
    expect(ui.map(({ parts }) => parts)[0]).toEqual([{ type: 'text', text: 'Summary' }])
    expect(new Set(ui.map(({ id }) => id)).size).toBe(3)
    expect(ui[2]).toBe(ask)
    expect(formOf(ui)).toBe('ai-sdk-ui')
    // The agent's messages say what it keeps, where all that is left was made.
    expect(formOf(asUiMessages([made], [turn]))).toBe('ai-sdk-ui')
    const other = [made]
    expect(asUiMessages(other, [made])).toBe(other)
  })

  it('that is torn by something between its steps is two messages with two ids', () => {
    const parts = splitMessages([turn])
    const note = { role: 'user', content: 'By the way.' } as ContentMessage
    const torn = asUiMessages(joinParts([...parts.slice(0, 4), note, ...parts.slice(4)]), [turn])
    expect(torn).toHaveLength(3)
    expect(new Set(torn.map(({ id }) => id)).size).toBe(3)
    expect(formOf(torn)).toBe('ai-sdk-ui')
  })
})
