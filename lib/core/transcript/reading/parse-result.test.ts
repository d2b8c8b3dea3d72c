import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../testing/runs'
import { isObject } from '../json'
import { parseResult } from './parse-result'

const text = fc.oneof(
  fc.constantFrom(
    'done',
    '\u00010',
    '\u0001~',
    'a "b"',
    'line\nline',
    '\u0001',
    '',
    'größe',
    '\u007f',
    '\u0002',
  ),
  fc.string({ maxLength: 6 }),
)
const details = fc.dictionary(
  fc.constantFrom('durationMs', 'exit', 'cwd', '__proto__'),
  fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null), text, fc.array(fc.nat())),
)
const result = fc
  .record({
    id: text,
    parentId: fc.option(text),
    toolName: text,
    body: text,
    details: fc.option(details),
    isError: fc.boolean(),
    at: fc.oneof(fc.nat(), fc.double()),
  })
  .map(({ id, parentId, toolName, body, details, isError, at }) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-11-20T12:00:00.000Z',
    message: {
      role: 'toolResult',
      toolCallId: `call_${id}`,
      toolName,
      content: [{ type: 'text', text: body }],
      ...(details === null ? {} : { details }),
      isError,
      timestamp: at,
    },
  }))

const plain = `{"type":"message","id":"a1","parentId":"b2","timestamp":"2026-11-20T12:00:00.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"exec","content":[{"type":"text","text":"\\u00010"}],"details":{"durationMs":844,"cwd":"/tmp"},"isError":false,"timestamp":1793620810443}}`

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value) || !isObject(value.message)) return value
    const { details: _details, ...message } = value.message
    return { ...value, message }
  } catch {
    return null
  }
}

it('takes what the runtimes write', () => {
  expect(parseResult(plain)).toEqual(parsed(plain))
  expect(parseResult(plain)).not.toBeNull()
  const failed = plain.replace('\\u00010', 'no such file').replace('"isError":false', '"isError":true')
  expect(parseResult(failed)).toEqual(parsed(failed))
  expect(parseResult(failed)).not.toBeNull()
})

it('says what JSON.parse says, or nothing, of every result', () => {
  fc.assert(
    fc.property(result, (entry) => {
      const line = JSON.stringify(entry)
      const quick = parseResult(line)
      if (quick !== null) expect(quick).toEqual(parsed(line))
    }),
    runs(500),
  )
})

it('says what JSON.parse says, or nothing, of a line that was damaged', () => {
  const character = fc.constantFrom(...'"\\{}[],:0-e \u0001\u00e9tn')
  fc.assert(
    fc.property(fc.nat(plain.length - 1), fc.nat(2), character, (at, gone, put) => {
      const line = plain.slice(0, at) + put + plain.slice(at + gone)
      const quick = parseResult(line)
      if (quick !== null) expect(quick).toEqual(parsed(line))
    }),
    runs(1000),
  )
})
