import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ENTRY_CATEGORIES } from '../core/tokens/category'
import { ENTRY_TYPES, type EntryFact } from '../core/transcript/entry'
import { readLine } from '../core/transcript/reading/read-line'
import { CONTENT_VERSION } from '../engine/read/content-version'
import { CORPUS, transcriptFiles } from '../testing/corpus'
import { runs } from '../testing/runs'
import { packFacts, unpackFacts } from './pack-facts'

const name = fc.option(fc.constantFrom('a', 'b', 'exec', '0', ''), { nil: undefined })
const amount = fc.oneof(fc.nat(), fc.constantFrom(0, 0.5, 2 ** 52))
const yes = fc.option(fc.constant(true as const), { nil: undefined })

const anyFact = fc.record({
  line: fc.nat(5),
  offset: fc.nat(5),
  bytes: fc.nat(),
  type: fc.constantFrom(...ENTRY_TYPES),
  id: fc.constantFrom(null, 'a', 'b'),
  parentId: fc.constantFrom(null, 'a', 'b'),
  at: fc.oneof(fc.constant(null), fc.nat(), fc.constantFrom(-1, 0.1, 1e300)),
  role: name,
  toolName: name,
  provider: name,
  model: name,
  api: name,
  stopReason: name,
  preview: name,
  resultFor: name,
  calls: fc.option(fc.array(fc.record({ id: fc.string(), name: fc.string() })), { nil: undefined }),
  units: fc.option(fc.dictionary(fc.constantFrom(...ENTRY_CATEGORIES), amount, { noNullPrototype: true }), {
    nil: undefined,
  }),
  usage: fc.oneof(
    fc.constant(undefined),
    fc.constant(null),
    fc.record({
      input: amount,
      output: amount,
      cacheRead: amount,
      cacheWrite: amount,
      costUsd: fc.constantFrom(null, 0.25),
    }),
  ),
  rawType: name,
  side: yes,
  images: fc.option(fc.nat(3), { nil: undefined }),
  isError: yes,
  errorMessage: name,
  requestId: name,
  firstKeptEntryId: name,
  firstKeptIndex: fc.option(fc.nat(3), { nil: undefined }),
  tokensBefore: fc.option(amount, { nil: undefined }),
  tokensAfter: fc.option(amount, { nil: undefined }),
  fromHook: yes,
  targetId: fc.constantFrom(undefined, null, 'a'),
  customType: name,
  excluded: yes,
  transcriptOnly: yes,
  silent: yes,
  checkpoint: fc.constantFrom(undefined, { kind: 'broken', family: 'openai', problem: 'x' } as const),
  blank: yes,
  problem: name,
  header: fc.option(fc.constant({ version: 3, sessionId: 's', cwd: '/' }), { nil: undefined }),
})

function same(facts: readonly EntryFact[]): void {
  const back = unpackFacts(packFacts(facts), facts[0]?.seq ?? 0)
  expect(back).toEqual(facts)
  // Nothing that is absent may come back as something, not even as undefined.
  expect(back).toStrictEqual(JSON.parse(JSON.stringify(back)))
}

describe('packed facts', () => {
  it('come back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.array(anyFact, { maxLength: 6 }), (firstSeq, facts) => {
        same(facts.map((fact, i) => ({ ...fact, seq: firstSeq + i })))
      }),
      runs(250),
    )
  })

  it.skipIf(CORPUS === null)(
    'come back as they were from all real transcripts, at less than two thirds of the size',
    () => {
      let [packed, plain] = [0, 0]
      for (const file of transcriptFiles(CORPUS ?? '')) {
        let offset = 0
        const facts = readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line, seq) => {
            const bytes = Buffer.byteLength(line)
            const { fact } = readLine(line, { seq, line: seq + 1, offset, bytes })
            offset += bytes + 1
            return fact
          })
        same(facts)
        packed += packFacts(facts).length
        plain += JSON.stringify(facts).length
      }
      expect(packed / plain).toBeLessThan(0.67)
    },
  )
})

it('the places of categories are written into databases: with another order, content has another version', () => {
  expect([CONTENT_VERSION, ...ENTRY_CATEGORIES]).toEqual([
    '26',
    'skills',
    'bootstrap-file',
    'summary',
    'recalled',
    'user',
    'assistant',
    'thinking',
    'tool-call',
    'tool-result',
    'image',
    'other',
  ])
})
