import { describe, expect, it } from 'vitest'
import { charsOverFour } from '../../tokens/estimate'
import type { EntryFact } from '../entry'
import type { JsonObject } from '../json'
import type { TextReading } from './read-content'
import { readLine, readTranslated } from './read-line'
import { SAID, type Said } from './translated'

const PLACE = { seq: 3, line: 4, offset: 100, bytes: 50 }
const READING = { estimate: charsOverFour, longTexts: null }
const TREE = { id: 'a', parentId: 'b', timestamp: '2026-11-01T08:00:00.000Z' }
const USER = { ...TREE, type: 'message', message: { role: 'user', content: 'x'.repeat(8) } }
const HEADER = { type: 'session', id: 's', version: 3 }
const HEADER_FACT = { version: 3, sessionId: 's' }

function fact(said: Said, entry: JsonObject = USER, reading: TextReading | null = READING): EntryFact {
  return readTranslated({ ...entry, [SAID]: said }, PLACE, reading).fact
}

/** An answer of so many units, with calls of so many, and the output that was reported. */
function answer(units: number, callUnits: number, output: number) {
  const call = { type: 'toolCall', id: 't', name: 'x'.repeat(callUnits * 4) }
  const content = [{ type: 'text', text: 'x'.repeat(units * 4) }, ...(callUnits > 0 ? [call] : [])]
  return { ...TREE, type: 'message', message: { role: 'assistant', content, usage: { input: 5, output } } }
}

describe('an entry that was made of another runtime’s line', () => {
  it('is read as one of pi, where nothing more is said', () => {
    const plain = readLine(JSON.stringify(USER), PLACE, charsOverFour)
    expect(readTranslated(USER, PLACE, READING)).toEqual(plain)
    expect(fact({})).toEqual(plain.fact)
  })

  it('knows which piece of its line it is', () => {
    expect(readTranslated(USER, { ...PLACE, piece: 2 }, READING).fact).toEqual({ ...fact({}), piece: 2 })
  })

  it.each<[Said]>([
    [{ clientWritten: true }],
    [{ transcriptOnly: true }],
    [{ bare: true }],
    [{ asked: true }],
    [{ cwd: '/w' }],
    [{ keptUpTo: 'e7' }],
    [{ keptAfter: 'e8' }],
    [{ window: 200_000 }],
    [{ billed: 900 }],
  ])('has what is said besides: %j', (said) => {
    expect(fact(said)).toEqual({ ...fact({}), ...said })
  })

  it('counts as what is said, whatever its role', () => {
    expect(fact({ category: 'recalled' }).units).toEqual({ recalled: 2 })
    const injected = { ...TREE, type: 'custom_message', customType: 'memory', content: 'x'.repeat(8) }
    expect(fact({ category: 'other' }, injected).units).toEqual({ other: 2 })
  })

  it('as a header says whose sub-agent its session is, and whether records of a response are one branch', () => {
    expect(fact({ joins: true }, HEADER).header).toEqual({ ...HEADER_FACT, joins: true })
    expect(fact({ agentOf: 'p' }, HEADER).header).toEqual({ ...HEADER_FACT, agentOf: 'p' })
    expect(fact({}, HEADER).header).toEqual(HEADER_FACT)
    expect(fact({ joins: true, agentOf: 'p' })).toEqual(fact({}))
  })

  it.each<[string, JsonObject, Said, true | undefined]>([
    ['as is said', answer(1, 0, 5), { outputUnsure: true }, true],
    ['not of a short answer', answer(29, 0, 1), {}, undefined],
    ['of an answer of twice as much and more', answer(30, 0, 14), {}, true],
    ['not of one of twice as much', answer(30, 0, 15), {}, undefined],
    ['of text and calls together', answer(15, 15, 14), {}, true],
    ['of calls alone', answer(0, 30, 14), {}, true],
    ['where none was reported', answer(30, 0, 0), {}, true],
  ])('has an output that is no size: %s', (_name, entry, said, outputUnsure) => {
    const { usage } = fact(said, entry)
    expect(usage).toMatchObject({ input: 5 })
    expect(usage?.outputUnsure).toBe(outputUnsure)
  })

  it('has an output as it was reported where its content is not looked at', () => {
    expect(fact({}, answer(30, 0, 1), null).usage).toMatchObject({ input: 5, output: 1 })
  })

  it('has no usage of which its output could be unsure', () => {
    expect(fact({ outputUnsure: true }).usage).toBeUndefined()
    expect(fact({ outputUnsure: true }, { ...USER, message: { role: 'assistant' } }).usage).toBeNull()
  })

  it('has the size of a text that was sent along, beside its own', () => {
    const sentAlong = 'x'.repeat(20)
    expect(fact({ sentAlong }).units).toEqual({ user: 2, other: 5 })
    expect(fact({ sentAlong, category: 'other' }).units).toEqual({ other: 7 })
    expect(fact({ sentAlong }, { ...TREE, type: 'custom' }).units).toEqual({ other: 5 })
    expect(fact({ sentAlong }, USER, null).units).toBeUndefined()
  })

  it('has the sizes of what is before the conversation', () => {
    const fixed = { system: 'x'.repeat(40), tools: 'x'.repeat(12) }
    expect(fact({ fixed }).fixed).toEqual({ system: 10, tools: 3 })
    expect(fact({ fixed }, USER, null).fixed).toBeUndefined()
  })
})
