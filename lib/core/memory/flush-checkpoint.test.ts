import { describe, expect, test } from 'vitest'
import { softFlushLine } from '../budget/load-lines'
import { DEFAULT_POLICY } from '../policy/default-policy'
import {
  CHECKPOINT_START,
  type CheckpointState,
  checkCheckpoint,
  checkpointText,
  readCheckpointBody,
} from './checkpoint'
import {
  afterCompaction,
  checkFlush,
  FLUSH_START,
  type FlushState,
  flushPrompt,
  noteToolCall,
  usageLine,
} from './flush'

const policy = DEFAULT_POLICY

/** Thresholds prompted for while the fill goes through these shares. */
function prompts(shares: readonly number[], start: FlushState = FLUSH_START): (number | null)[] {
  let state = start
  return shares.map((share) => {
    const check = checkFlush(policy, share, state)
    state = check.state
    return check.due
  })
}

describe('memory flush', () => {
  test('F1: one prompt at each threshold', () => {
    expect(prompts([0.49, 0.5, 0.6, 0.75, 0.76, 0.9, 0.95])).toEqual([null, 0.5, null, 0.75, null, 0.9, null])
  })

  test('F1: the highest alone when several are passed at once', () => {
    expect(prompts([0.3, 0.93, 0.94])).toEqual([null, 0.9, null])
  })

  test('F3: no repetition within a cycle; a new one begins below a quarter, or after a compaction', () => {
    expect(prompts([0.76, 0.6, 0.77])).toEqual([0.75, null, null])
    expect(prompts([0.76, 0.24, 0.76])).toEqual([0.75, null, 0.75])
    expect(prompts([0.76], { ...afterCompaction() })).toEqual([0.75])
  })

  test('F4: the date and the silent reply', () => {
    const prompt = flushPrompt({ day: '2026-11-21', tokens: 156_000, window: 200_000 })
    expect(prompt).toContain('memory/2026-11-21.md')
    expect(prompt).toContain('NO_REPLY')
  })

  test('F5: only a write under memory/ after a prompt is an answer to it', () => {
    const asked: FlushState = { prompted: 0.5, actioned: false }
    expect(noteToolCall(asked, 'write', 'src/memory.ts').actioned).toBe(false)
    expect(noteToolCall(asked, 'read', 'memory/2026-11-21.md').actioned).toBe(false)
    expect(noteToolCall(FLUSH_START, 'write', 'memory/2026-11-21.md').actioned).toBe(false)
    expect(noteToolCall(asked, 'edit', '/home/a/memory/2026-11-21.md').actioned).toBe(true)
    expect(noteToolCall(asked, 'write', 'MEMORY.md').actioned).toBe(true)
    for (const [path, isMemory] of [
      ['memory/topics/tides.md', true],
      ['./memory/facts.json', true],
      ['C:\\agent\\memory\\topics\\tides.md', true],
      ['/home/a/src/memory/pool.c', false],
      ['memory/../src/main.ts', false],
      ['memory/', false],
    ] as const)
      expect([path, noteToolCall(asked, 'write', path).actioned]).toEqual([path, isMemory])
  })

  test('F6: the exact form of the usage line', () => {
    expect(usageLine(156_000, 200_000)).toBe('[Context: 156k/200k tokens (78%)]')
  })

  test('5: a flush ahead of the compaction is where the policy says, once in a cycle', () => {
    const { lines, flush } = policy
    const ahead = (softThresholdTokens: number) =>
      softFlushLine(
        {
          ...policy,
          lines: { ...lines, flush: { enabled: true, at: [] } },
          flush: { ...flush, softThresholdTokens },
        },
        200_000,
      )
    // The compact line of the default policy is at 100,000.
    expect([0, 4_000, 40_000].map((tokens) => ahead(tokens)?.tokens)).toEqual([undefined, 96_000, 60_000])
    const none = { ...policy, lines: { ...lines, flush: { enabled: true, at: [] } } }
    expect(checkFlush(none, 0.47, FLUSH_START, 0.48).due).toBeNull()
    const first = checkFlush(none, 0.48, FLUSH_START, 0.48)
    expect(first.due).toBe(0.48)
    expect(checkFlush(none, 0.49, first.state, 0.48).due).toBeNull()
  })

  test('switched off, it never asks', () => {
    const off = { ...policy, lines: { ...policy.lines, flush: { enabled: false, at: [0.5] } } }
    expect(checkFlush(off, 0.99, FLUSH_START).due).toBeNull()
  })
})

describe('checkpoints', () => {
  const at = (steps: readonly (readonly [tokens: number, turns: number])[]) => {
    let state: CheckpointState = CHECKPOINT_START
    return steps.map(([tokens, turns]) => {
      const check = checkCheckpoint(policy, { tokens, window: 200_000, turns }, state)
      state = check.state
      return check.due
    })
  }

  test('E9: each threshold once per cycle', () => {
    expect(
      at([
        [49_000, 1],
        [50_000, 2],
        [90_000, 3],
        [100_000, 4],
        [150_000, 5],
        [160_000, 6],
      ]),
    ).toEqual([null, 'threshold', null, 'threshold', 'threshold', null])
  })

  test('E9: every fifteen turns, and never below ten thousand tokens', () => {
    expect(
      at([
        [9_999, 40],
        [10_000, 14],
        [10_000, 15],
        [11_000, 29],
        [12_000, 30],
      ]),
    ).toEqual([null, null, 'turns', null, 'turns'])
  })

  test('E10: a structured answer is read, and anything else kept as it is', () => {
    const body = { summary: 'S', topics: ['t'], decisions: ['d'], questions: [] }
    expect(readCheckpointBody(`\`\`\`json\n${JSON.stringify(body)}\n\`\`\``)).toEqual(body)
    expect(readCheckpointBody('{ not json')).toEqual({
      summary: '{ not json',
      topics: [],
      decisions: [],
      questions: [],
    })
    expect(checkpointText(body)).toBe('S\n\n## Topics\n- t\n\n## Decisions\n- d')
  })
})
