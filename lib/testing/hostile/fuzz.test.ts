import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { MemoryBytes } from '../../adapters/jsonl/byte-source'
import { ZstdBytes } from '../../adapters/jsonl/zstd'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import { SourceProblem } from '../../engine/read/source-problem'
import { AgentDatabaseBuilder } from '../builders/agent-database'
import { listAll, readAll, storeFixture, temporaryFolder, treeOf } from '../store-folder'

/** Cases of each kind; `npm run fuzz` tries many more. */
const CASES = Number(process.env.PLIMSOLL_FUZZ ?? 0)
const cases = (few: number) => ({ numRuns: CASES || few })
const timeout = CASES === 0 ? 120_000 : 24 * 60 * 60 * 1000

/** Changes of a file: bytes that are others, a run of zeros, an end that is missing. */
const damage = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
  zeros: fc.option(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 600 })), { freq: 3 }),
  cut: fc.option(fc.nat(), { freq: 4 }),
})
type Damage = typeof damage extends fc.Arbitrary<infer D> ? D : never

function damaged(file: Uint8Array, { bytes, zeros, cut }: Damage): Buffer {
  const copy = Buffer.from(file)
  for (const [at, value] of bytes) copy[at % copy.length] = value
  if (zeros !== null) {
    const at = zeros[0] % copy.length
    copy.fill(0, at, Math.min(copy.length, at + zeros[1]))
  }
  return cut === null ? copy : copy.subarray(0, cut % copy.length)
}

const ROW = (i: number) =>
  JSON.stringify({
    type: 'message',
    id: `e${i}`,
    parentId: null,
    message: { role: 'user', content: `row ${i}` },
  })

/** A database with its log and index, as bytes. */
function database(wal: boolean): { readonly [side: string]: Buffer } {
  const file = join(temporaryFolder(), 'original.sqlite')
  const builder = new AgentDatabaseBuilder(file, { wal })
  const packed = {
    zstd: storeFixture('row-2026.9.6.json.zst'),
    bytes: storeFixture('row-2026.9.6.json').length,
  }
  for (const id of ['s1', 's2', 's3']) {
    const rows = Array.from({ length: 30 }, (_, i) => ROW(i))
    builder.session({ id, key: `agent:main:${id}`, rows: [...rows, packed], entry: { sessionId: id } })
  }
  const sides = Object.fromEntries(
    (wal ? ['', '-wal', '-shm'] : ['']).map((side) => [side, readFileSync(file + side)]),
  )
  builder.close()
  return sides
}

describe('files that are damaged at random', () => {
  it.each([
    ['a database', false],
    ['a database, its log and its index', true],
  ])(
    '%s: listed and read, or left out with a reason, and nothing is written',
    async (_, wal) => {
      const sides = database(wal)
      const root = temporaryFolder()
      let made = 0
      const each = fc.dictionary(fc.constantFrom(...Object.keys(sides)), damage, { minKeys: 1 })
      await fc.assert(
        fc.asyncProperty(each, async (damages) => {
          // Another file each time: one that was given up is left alone for a while.
          const file = join(root, 'agents', `a${made++}`, 'agent', 'openclaw-agent.sqlite')
          mkdirSync(dirname(file), { recursive: true })
          for (const [side, bytes] of Object.entries(sides)) {
            const change = damages[side]
            writeFileSync(file + side, change === undefined ? bytes : damaged(bytes, change))
          }
          const before = treeOf(dirname(file))
          const reader = createStoreReader()
          const { stores } = await discoverStores({ env: {}, home: '/nowhere', only: [file] })
          for (const store of stores) {
            if (store.state !== 'ok') continue
            const { transcripts, problem } = await listAll(reader, store)
            if (problem !== null) expect(problem).toBeInstanceOf(SourceProblem)
            for (const transcript of transcripts) {
              const { problem: failure } = await readAll(reader, store, transcript)
              if (failure !== null) expect(failure).toBeInstanceOf(SourceProblem)
            }
          }
          expect(treeOf(dirname(file))).toEqual(before)
          rmSync(dirname(dirname(file)), { recursive: true })
        }),
        cases(25),
      )
    },
    timeout,
  )

  it(
    'an archive: unpacked, or refused, and never to more than its size allows for',
    () => {
      const frames = storeFixture('pi-version-1.jsonl.zst')
      fc.assert(
        fc.property(damage, (change) => {
          const packed = damaged(frames, change)
          const into = Buffer.alloc(1 << 16)
          let bytes = 0
          try {
            const source = new ZstdBytes(new MemoryBytes(packed), packed.length)
            for (let got = source.read(into, 0, into.length); got > 0; ) {
              bytes += got
              got = source.read(into, 0, into.length)
            }
          } catch (error) {
            expect(error).toBeInstanceOf(Error)
          }
          expect(bytes).toBeLessThan(130 << 20)
        }),
        cases(100),
      )
    },
    timeout,
  )
})

/** What the syntax is made of, and what it trips over. */
const PIECES = [
  ...[
    'a: ',
    'b',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '&a ',
    '*a ',
    '!!set ',
    '!<x> ',
    '|\n',
    '>-\n',
    '"',
    "'",
  ],
  ...[
    '\n',
    '\n  ',
    '\n    ',
    '\t',
    '#',
    '---\n',
    '...\n',
    '%YAML 1.2\n',
    '<<: ',
    '~',
    '1e999',
    '0x1f',
    '-.inf',
  ],
  ...[
    '__proto__: ',
    'constructor: ',
    'policy:\n',
    '  window:\n',
    'overrides:\n',
    '  - session: "*"\n',
    '\u0000',
    '\ufeff',
  ],
  ...['\u2028', '\ud800', '//', '/*', '*/', '$include', '"openclaw.json"', 'agents', 'compaction'],
]

it.each(['plimsoll.yaml', 'context-config.yaml', 'openclaw.json'])(
  'any text for %s is read or refused with places in it, and never thrown over',
  (file) => {
    const text = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('')
        const source = parseSource(whole, file)
        const { problems } = readPolicy(source, () => null)
        expect(problems.length).toBeLessThan(203)
        const lines = whole.split('\n').length
        for (const { line, column } of problems) {
          expect(line).toBeGreaterThan(0)
          expect(line).toBeLessThanOrEqual(lines)
          expect(column).toBeGreaterThan(0)
        }
      }),
      cases(400),
    )
  },
  timeout,
)
