import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { brokenPromise, repairBytes } from '../../testing/repair/invariants'
import { runs } from '../../testing/runs'
import { TranscriptCheck } from './check'

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
const call = fc.constantFrom('x', 'y', 'z')

const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: fc.constantFrom('hi', ' ', null) }),
  fc.record({
    role: fc.constant('assistant'),
    stopReason: fc.constantFrom('stop', 'toolUse', 'error', 'aborted'),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text'), text: fc.constantFrom('ok', '') }),
        fc.record({
          type: fc.constant('toolCall'),
          id: call,
          name: fc.constantFrom('ls', 'a b', ''),
          arguments: fc.constant({}),
        }),
      ),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    role: fc.constant('toolResult'),
    toolCallId: fc.option(call),
    content: fc.constant([{ type: 'text', text: 'r' }]),
  }),
  fc.record({ role: fc.constantFrom('custom', null, 'x'), content: fc.constant('c') }),
)

const shape = {
  id: fc.option(id, { freq: 8 }),
  parentId: fc.option(id),
  firstKeptEntryId: id,
  targetId: fc.option(id),
}

const entry = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('message'), ...shape, message }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'compaction',
        'reset',
        'leaf',
        'custom',
        'custom_message',
        'label',
        'from-tomorrow',
      ),
      ...shape,
      summary: fc.constant('s'),
      content: fc.constant('c'),
      appendMode: fc.constantFrom('side', 'main'),
    }),
  },
)

describe('X12 any tree of entries', () => {
  it('is repaired once and for all, keeps what the plan does not name, and pairs calls and results', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 14 }),
        fc.constantFrom(1, 3, 4),
        async (entries, version) => {
          const lines = [{ type: 'session', id: 's', version }, ...entries].map((line) =>
            JSON.stringify(line),
          )
          const before = Buffer.from(`${lines.join('\n')}\n`)
          expect(brokenPromise(before, await repairBytes(before))).toBeNull()
        },
      ),
      runs(400),
    )
  })
})

describe('X12 a jump to a call without a result, with a reset beside it', () => {
  it('leads behind the result that is put in, and one result is enough', async () => {
    const lines = [
      { type: 'session', id: 's', version: 3 },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        message: {
          role: 'assistant',
          stopReason: 'stop',
          content: [{ type: 'toolCall', id: 'x', name: 'ls', arguments: {} }],
        },
      },
      { type: 'leaf', id: 'b', parentId: null, targetId: 'a', appendMode: 'side' },
      { type: 'reset', id: 'c', parentId: null, firstKeptEntryId: 'c', appendMode: 'side' },
      { type: 'message', id: 'd', parentId: null, message: { role: 'user', content: 'hi' } },
    ]
    const before = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const repaired = await repairBytes(before)
    expect(brokenPromise(before, repaired)).toBeNull()
    expect(repaired.bytes.toString().match(/"toolResult"/g)).toHaveLength(1)
  })
})

describe('M14 a failed turn', () => {
  it('is kept by a compaction together with its results, so that none of them is sent alone', async () => {
    const entries = [
      {
        type: 'message',
        id: 'a',
        message: {
          role: 'assistant',
          stopReason: 'error',
          content: [{ type: 'toolCall', id: 'x', name: 'ls', arguments: {} }],
        },
      },
      { type: 'message', id: 'b', parentId: 'a', message: result('x') },
      { type: 'compaction', id: 'c', parentId: 'b', firstKeptEntryId: 'b', summary: 's' },
    ]
    const before = Buffer.from(
      [{ type: 'session', id: 's', version: 4 }, ...entries]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
    const repaired = await repairBytes(before)
    expect(brokenPromise(before, repaired)).toBeNull()
    expect(JSON.parse(repaired.bytes.toString().split('\n')[3] ?? '')).toMatchObject({
      firstKeptEntryId: 'a',
    })
  })
})

function result(toolCallId: string) {
  return { role: 'toolResult', toolCallId, content: [{ type: 'text', text: 'r' }] }
}

describe('M13 the rules of both generations', () => {
  const found = (rules: 'early' | 'late', session: TranscriptBuilder) => {
    const check = new TranscriptCheck(rules)
    session.lines.forEach((text, i) => {
      check.add({ line: i + 1, text, bytes: text.length, ended: true })
    })
    return check.finish().findings.map((finding) => finding.class)
  }

  it('early: a result behind a later answer is an orphan; late: it goes to its call', () => {
    const session = new TranscriptBuilder()
    session.assistant('', { calls: ['a'] })
    session.assistant('meanwhile')
    session.result('a', 'late')
    expect(found('early', session)).toEqual(['missing-result', 'orphan-result'])
    expect(found('late', session)).toEqual(['displaced-result'])
  })

  it('early: names of tools hold no dots; late: they may', () => {
    const session = new TranscriptBuilder()
    session.message({
      role: 'assistant',
      content: [
        { type: 'text', text: 'x' },
        { type: 'toolCall', id: 'a', name: 'fs.read', arguments: {} },
      ],
    })
    session.result('a', 'r')
    expect(found('early', session)).toEqual(['incomplete-call', 'orphan-result'])
    expect(found('late', session)).toEqual([])
  })
})
