import { expect, test } from 'vitest'
import type { TrialChunk } from '../replay/drop-trial'
import { needsOf, RARE } from '../replay/needs/needs'
import { judgeDrops } from './judge-drops'
import type { LogKind } from './log-kinds'
import { readLogLine } from './read-log-line'

const record = (kind: LogKind, line: object) => {
  const read = readLogLine(kind, JSON.stringify(line))
  if (!read.ok) throw new Error(read.problem)
  return read.record
}
const T = Date.parse('2026-11-01T08:00:00Z')
const drop = (id: string, more = {}) =>
  record('drops', {
    chunk_id: id,
    session_id: 's',
    timestamp: T + 1500,
    relevance_score: 0.2,
    threshold_used: 0.3,
    ...more,
  })

const chunk = (n: number, text: string, inputs: string | null = null): TrialChunk => ({
  ...{ id: `e${n}`, members: [n], tokens: 10, at: T + n * 1000, role: 'other', important: false, kinds: [] },
  ...{
    text: `${text} ${inputs ?? ''}`,
    output: inputs,
    written: inputs === null ? null : { prose: '', inputs },
  },
})
const chunks = [
  chunk(0, 'the plan stands in src/harbour/berth-seven.ts and more of it'),
  chunk(1, 'nothing of note is said in here at all'),
  chunk(2, '', 'read src/harbour/berth-seven.ts'),
]
const session = { chunks, needs: needsOf(chunks, RARE) }
const judge = (records: Parameters<typeof judgeDrops>[0]['records'], content: string | null = null) =>
  judgeDrops({
    records,
    session: (id) => (id === 's' ? session : null),
    stored: () => (content === null ? null : { content, entryIds: [] }),
  })

test('W4 a later need that only the dropped chunk could meet speaks against its drop', () => {
  expect(judge([drop('e0'), drop('e1')])).toMatchObject([
    { chunkId: 'e0', needed: 0.8, recovered: null, score: 0.2, threshold: 0.3 },
    { chunkId: 'e1', needed: 0 },
  ])
  // Dropped after it was needed.
  expect(judge([drop('e0', { timestamp: T + 9000 })])[0]?.needed).toBe(0)
})

test('W4 a chunk is found by its words where its id is of another kind; else it is unknown', () => {
  expect(
    judge([drop('hash')], 'the plan stands in src/harbour/berth-seven.ts and more of it')[0]?.needed,
  ).toBe(0.8)
  expect(judge([drop('hash')])[0]?.needed).toBeNull()
  expect(judge([drop('e0', { session_id: 'elsewhere' })])[0]?.needed).toBeNull()
})

test('W4 Q6 a recovery counts when it came after the drop, in the same session', () => {
  const back = (more: object) =>
    record('recovery', { chunk_ids: ['e1'], session_id: 's', timestamp: T + 3000, ...more })
  expect(judge([drop('e1'), back({ trigger: 'relevance' })])[0]?.recovered).toBe('relevance')
  expect(judge([drop('e1'), back({ timestamp: T })])[0]?.recovered).toBeNull()
  expect(judge([drop('e1'), back({ session_id: 'other' })])[0]?.recovered).toBeNull()
})

test('W4 I7 a recovery that was taken back speaks against nothing; one that came after that does', () => {
  const line = (at: number, more: object = {}) =>
    record('recovery', {
      chunk_id: 'e1',
      session_id: 's',
      timestamp: T + at,
      destination: 'context',
      ...more,
    })
  const undone = (at: number, more: object = {}) => line(at, { event: 'recovery_undone', ...more })
  const recovered = (...lines: Parameters<typeof judge>[0]) => judge([drop('e1'), ...lines])[0]?.recovered
  expect(recovered(line(3000, { trigger: 'relevance' }), undone(4000))).toBeNull()
  expect(recovered(undone(4000), line(3000))).toBeNull()
  expect(
    recovered(line(3000, { trigger: 'relevance' }), undone(4000), line(5000, { trigger: 'manual' })),
  ).toBe('manual')
  expect(recovered(line(3000, { trigger: 'a' }), line(3500, { trigger: 'b' }), undone(4000))).toBe('a')
  expect(recovered(line(3000, { trigger: 'a' }), undone(4000, { session_id: 'other' }))).toBe('a')
  expect(recovered(line(3000, { trigger: 'a', destination: 'file' }), undone(4000))).toBe('a')
})

test('W4 what the hard limit dropped has no score that a cut-off decided about', () => {
  expect(judge([drop('e1', { reason: 'hard_limit' })])[0]?.score).toBeNull()
})
