import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { maskSecrets } from '../redaction/secrets'
import { LOG_FIELDS, type LogEntry } from './log-fields'
import { parseLogFileName } from './log-files'
import { LOG_KINDS, type LogKind } from './log-kinds'
import { readLogLine } from './read-log-line'
import { writeLogLine } from './write-log-line'

const AT = Date.parse('2026-02-02T22:55:00Z')

function read(kind: LogKind, line: string) {
  const result = readLogLine(kind, line)
  if (!result.ok) throw new Error(result.problem)
  return result.record
}

describe('lines as the plan has them', () => {
  test('Q2 compaction', () => {
    const line =
      '{"timestamp":"2026-02-02T22:55:00Z","event":"compaction_triggered","trigger":"token_threshold","tokens_before":80000,"tokens_after":40000,"chunks_dropped":15,"chunks_summarized":8,"config_used":"COMPACTION_TRIGGER_PCT=0.50"}'
    expect(read('compaction', line)).toEqual({
      kind: 'compaction',
      at: AT,
      event: 'compaction_triggered',
      rest: {},
      sessionId: null,
      trigger: 'token_threshold',
      tokensBefore: 80_000,
      tokensAfter: 40_000,
      tokenSavings: null,
      chunksDropped: 15,
      chunksSummarized: 8,
      configUsed: 'COMPACTION_TRIGGER_PCT=0.50',
    })
  })

  test('Q3 curation', () => {
    const line =
      '{"timestamp":"2026-02-02T22:55:00Z","event":"memfas_curation","query":"journal search","hits_found":5,"total_hits_before_curation":12,"token_savings":25000,"drops_triggered":7}'
    expect(read('curation', line)).toMatchObject({ hitsFound: 5, totalHits: 12, tokenSavings: 25_000 })
  })

  test('Q4 drops', () => {
    const line =
      '{"timestamp":"2026-02-02T22:55:00Z","event":"chunk_dropped","chunk_id":"abc123","session_id":"xyz789","reason":"low_relevance","relevance_score":0.15,"threshold_used":0.30,"cold_storage_path":"~/.clawdbot/cold-storage/..."}'
    expect(read('drops', line)).toMatchObject({
      chunkId: 'abc123',
      sessionId: 'xyz789',
      relevanceScore: 0.15,
      thresholdUsed: 0.3,
      coldStoragePath: '~/.clawdbot/cold-storage/...',
    })
  })

  test('Q5 health', () => {
    const line =
      '{"timestamp":"2026-02-02T22:55:00Z","current_tokens":45000,"limit":100000,"pct_used":0.45,"next_compaction_estimate":50000,"memcached_chunks":23,"cold_storage_chunks":156}'
    expect(read('health', line)).toMatchObject({
      event: null,
      currentTokens: 45_000,
      limit: 100_000,
      nextCompaction: 50_000,
      chunksHeld: 23,
      chunksCold: 156,
    })
  })
})

describe('X14 lines as the module itself writes them', () => {
  it.each([
    [
      'curation',
      { event: 'curation', query: 'q', hits_found: 1, total_before_curation: 4, token_savings: 9 },
      { totalHits: 4, tokenSavings: 9 },
    ],
    [
      'health',
      {
        event: 'health_check',
        current_tokens: 10,
        max_tokens: 20,
        pct_used: 0.5,
        chunks_count: 3,
        cold_storage_count: 2,
        needs_compaction: true,
      },
      { currentTokens: 10, limit: 20, chunksHeld: 3, chunksCold: 2, needsCompaction: true },
    ],
    [
      'health',
      { event: 'message', context_chunks: 4, token_count: 77 },
      { chunksHeld: 4, currentTokens: 77, limit: null },
    ],
    ['recovery', { event: 'recovery', query: 'q', chunks_recovered: 2 }, { chunksRecovered: 2 }],
    ['compaction', { event: 'compaction', token_savings: 5 }, { tokenSavings: 5, tokensBefore: null }],
  ] as const)('%s %j', (kind, line, expected) => {
    expect(read(kind, JSON.stringify({ ...line, timestamp: '2026-02-02T22:55:00.123456' }))).toMatchObject(
      expected,
    )
  })

  test('their times have no zone and are of this machine', () => {
    const local = new Date(2026, 1, 2, 22, 55)
    const line = '{"event":"recovery","timestamp":"2026-02-02T22:55:00.000000"}'
    expect(read('recovery', line).at).toBe(local.getTime())
  })
})

describe('X14 lines that are not right', () => {
  it.each([
    ['drops', 'not json', 'it is not JSON'],
    ['drops', '[1]', 'it is JSON, but not an object'],
    ['drops', '{"reason":"low_relevance"}', 'chunk_id is missing'],
    ['drops', '{"chunk_id":7}', 'chunk_id must be a text'],
    ['drops', '{"chunk_id":"a","relevance_score":"0.2"}', 'relevance_score must be a number'],
    ['health', '{"max_tokens":"many"}', 'max_tokens must be a number'],
    ['health', '{"timestamp":"yesterday","limit":1}', 'timestamp is not a time'],
    ['curation', '{"event":5}', 'event must be a text'],
    ['compaction', '{"other":1}', 'it holds nothing that belongs into a compaction log'],
  ] as const)('%s %s: %s', (kind, line, problem) => {
    expect(readLogLine(kind, line)).toEqual({ ok: false, problem })
  })

  test('what is not known is kept, what is null is unknown', () => {
    const record = read('drops', '{"chunk_id":"a","reason":null,"mood":"glum","__proto__":{"x":1}}')
    expect(record).toMatchObject({ reason: null })
    expect(Object.entries(record.rest)).toEqual([
      ['reason', null],
      ['mood', 'glum'],
      ['__proto__', { x: 1 }],
    ])
  })
})

describe('what is written', () => {
  test('Q4 has the names, the order and the time of the plan', () => {
    const entry = { sessionId: 's', chunkId: 'c', relevanceScore: 0.15, rest: { receipt: 'r1' } }
    expect(writeLogLine('drops', AT, entry, (text) => text)).toBe(
      '{"timestamp":"2026-02-02T22:55:00.000Z","event":"chunk_dropped","chunk_id":"c","session_id":"s","relevance_score":0.15,"receipt":"r1"}',
    )
  })

  test('Q10 holds no credential, wherever it is', () => {
    const secret = ['sk-', 'ant-', 'api03-', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')
    const line = writeLogLine(
      'curation',
      AT,
      {
        query: `use ${secret} please`,
        rest: { api_key: 'Zx81Qw72Er63Ty54', deep: [{ note: secret }], [secret]: 1 },
      },
      maskSecrets,
    )
    expect(line).not.toContain('Zx81Qw72Er63Ty54')
    expect(JSON.parse(line)).toMatchObject({ query: expect.stringMatching(/^use •+ please$/) })
  })

  test('R8 what is written is read back, one line each, whatever the texts hold', () => {
    const samples = [
      ['text', fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: 20 }), fc.constant('\u2028👩‍🚀\ud800'))],
      [1.5, fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n))],
      [true, fc.boolean()],
      [['text'], fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 })],
    ] as const
    const entryOf = (kind: LogKind) => {
      const shapes = Object.entries(LOG_FIELDS[kind]).map(([key, { type }]) => {
        const fitting = samples.find(([value]) => type.safeParse(value).success)
        return [key, fitting?.[1] ?? fc.constant(null)] as const
      })
      const entry = fc.record(Object.fromEntries(shapes), {
        requiredKeys: kind === 'drops' ? ['chunkId'] : [],
      })
      return entry as fc.Arbitrary<LogEntry<LogKind>>
    }
    for (const kind of LOG_KINDS) {
      fc.assert(
        fc.property(
          entryOf(kind),
          fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
          (entry, at) => {
            const line = writeLogLine(kind, at.getTime(), entry, (text) => text)
            expect(line).not.toContain('\n')
            expect(read(kind, line)).toMatchObject({ ...entry, at: at.getTime(), rest: {} })
          },
        ),
        { numRuns: 30 },
      )
    }
  })
})

describe('Q1 files of a log folder', () => {
  it.each([
    ['drops.jsonl', { kind: 'drops', age: 0 }],
    ['drops.jsonl.3', { kind: 'drops', age: 3 }],
    ['context-health.jsonl', { kind: 'health', age: 0 }],
    ['health.jsonl', { kind: 'health', age: 0 }],
    ['drops.jsonl.0', null],
    ['drops.jsonl.bak', null],
    ['audit.jsonl', null],
    ['constructor.jsonl', null],
  ])('%s', (name, expected) => {
    expect(parseLogFileName(name)).toEqual(expected)
  })
})
