import { describe, expect, test } from 'vitest'
import type { Fact } from '../../core/memory/fact'
import { recallPreview } from '../session/recall-preview'
import { conversationRow, eventRow, eventRows, factRow, treeView } from './memory'

const AT = Date.parse('2026-11-21T10:00:00Z')
const SECRET = `ghp_${'a1B2'.repeat(9)}`
const fact = (more: Partial<Fact> = {}): Fact => ({
  id: 'f1',
  content: 'The mast is 20 m high.',
  confidence: 0.9,
  source: 'task:a',
  tags: ['T'],
  scope: null,
  entities: [],
  relation: null,
  state: 'active',
  replacedBy: null,
  at: AT,
  confirmedAt: AT,
  ...more,
})

describe('the page of memory', () => {
  test('L4: a fact is as sure as it is today, and archived when it has faded', () => {
    expect(factRow(fact(), AT)).toMatchObject({ sure: 90, state: 'active', isMasked: false })
    expect(factRow(fact(), AT + 22 * 30 * 86_400_000)).toMatchObject({ sure: 29, state: 'archived' })
  })

  test('credentials are covered in facts, prompts, pieces and checkpoints, and such a fact says so', () => {
    const row = factRow(fact({ content: `The key is ${SECRET}.` }), AT)
    const event = eventRow(
      {
        at: AT,
        session: 's',
        kind: 'recall',
        prompt: `use ${SECRET}`,
        placed: [{ source: 'MEMORY.md', score: 0.6, cut: false, text: SECRET }],
        left: 0,
        tokens: 1,
        budget: 2,
      },
      'k',
    )
    const conversation = conversationRow({
      session: 's',
      state: null,
      checkpoints: [
        {
          id: 'c',
          session: 's',
          at: AT,
          uptoEntryId: '',
          uptoSeq: 0,
          covered: 1,
          tokens: 1,
          body: { summary: SECRET, topics: [], decisions: [], questions: [] },
        },
      ],
    })
    expect(row.isMasked).toBe(true)
    expect(JSON.stringify([row, event, conversation])).not.toContain(SECRET)
    expect(conversation).toMatchObject({ turns: null, compactions: null, asked: null })
  })

  test('a long tree shows what matters now, and how much more there is; long texts are cut', () => {
    const tasks = Array.from({ length: 300 }, (_, i) => ({
      id: `t${i}`,
      title: `Task ${i}`,
      parent: null,
      state: i === 250 ? ('active' as const) : ('done' as const),
      priority: 0,
      dependencies: [],
      result: i === 250 ? null : { summary: 'long '.repeat(4_000), artifacts: [], at: AT },
      createdAt: AT,
      updatedAt: AT + i,
    }))
    const view = treeView({ session: 's', tree: { tasks } })
    expect(view.lines).toHaveLength(40)
    expect(view.hidden).toBe(260)
    expect(view.sums).toEqual({ total: 300, done: 299, rings: 0 })
    expect(view.lines.map(({ id }) => id).slice(0, 2)).toEqual(['t250', 't261'])
    expect(JSON.stringify(view).length).toBeLessThan(40_000)
  })

  test('a row of the log keeps its key when newer ones come', () => {
    const saved = { at: AT, session: 's', kind: 'saved' } as const
    const keys = eventRows([saved, saved]).map(({ key }) => key)
    expect(new Set(keys).size).toBe(2)
    expect(
      eventRows([{ ...saved, at: AT + 1 }, saved, saved])
        .map(({ key }) => key)
        .slice(1),
    ).toEqual(keys)
  })

  test('each kind of event is described in words', () => {
    const words = (event: object) =>
      eventRow({ at: AT, session: 's', ...event } as Parameters<typeof eventRow>[0], 'k').what
    expect(words({ kind: 'flush', line: 0.75, delivery: 'system' })).toBe(
      'At 75 % of the window, as a system message',
    )
    expect(words({ kind: 'flush', line: 0.9, delivery: 'own turn' })).toContain('a separate turn')
    expect(words({ kind: 'recall', prompt: 'hi', placed: [], left: 2, tokens: 0, budget: 6_000 })).toBe(
      'For “hi”: nothing had room, 2 without room',
    )
    expect(words({ kind: 'knowledge', task: 'a', facts: ['f1'] })).toBe('1 fact recalled for a')
    expect(
      words({
        kind: 'completed',
        task: 'a',
        added: 2,
        confirmed: 0,
        contradicted: 1,
        clearedResults: 4,
        clearedTokens: 7600,
      }),
    ).toBe('a: 2 facts learned, 0 confirmed, 1 replaced; 4 results archived (7\u202f600\u202f≈ tokens)')
  })

  test('G2–G4: each piece says what becomes of it', () => {
    const piece = (score: number, text: string) => ({
      source: 'MEMORY.md',
      text,
      score,
      origin: 'memory',
      sourceId: 'm',
      line: 1,
    })
    const looked = [
      piece(0.9, 'a'),
      piece(0.8, 'bb'),
      piece(0.7, 'ccc'),
      piece(0.65, 'dddd'),
      piece(0.2, 'eeeee'),
    ]
    const preview = recallPreview(
      'hi',
      {
        looked,
        placed: [
          { ...piece(0.9, 'a'), shown: 'a', cut: false },
          { ...piece(0.8, 'bb'), shown: 'b', cut: true },
        ],
        left: [piece(0.7, 'ccc')],
        tokens: 9,
        budget: 10,
        warnings: [],
      },
      { enabled: false, minScore: 0.6, maxChunks: 3 },
      { sources: 1, pieces: 5, isIndexing: false, assumedWindow: null },
    )
    expect(preview.rows.map(({ fate }) => fate)).toEqual([
      'recalled',
      'cut',
      'no room',
      'beyond the number',
      'too unlike',
    ])
    expect(new Set(preview.rows.map(({ key }) => key)).size).toBe(5)
    // A line without end is several pieces of the same length.
    const twice = {
      looked: [piece(0.9, 'ab'), piece(0.9, 'cd')],
      placed: [],
      left: [],
      tokens: 0,
      budget: 1,
      warnings: [],
    }
    const { rows } = recallPreview(
      'hi',
      twice,
      { enabled: true, minScore: 0.6, maxChunks: 3 },
      { sources: 1, pieces: 2, isIndexing: false, assumedWindow: 200_000 },
    )
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2)
  })
})
