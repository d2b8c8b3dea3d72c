import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { brokenPromise, repairBytes } from '../../testing/repair/invariants'
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
      { numRuns: 1500 },
    )
  })
})

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
