import { describe, expect, it } from 'vitest'
import { HOSTILE_TRANSCRIPTS } from '../../testing/hostile/transcripts'
import { TranscriptCheck } from './check'
import type { RepairCheck } from './line-check'

function checked(name: string, n: number): RepairCheck {
  return checkedText(HOSTILE_TRANSCRIPTS[name]?.(n) ?? '')
}

function checkedText(whole: string): RepairCheck {
  const check = new TranscriptCheck()
  const lines = whole.split('\n').slice(0, -1)
  lines.forEach((text, i) => {
    check.add({ line: i + 1, text, bytes: text.length, ended: true })
  })
  return check.finish()
}

describe('a tree that is made to hold the check of it up', () => {
  // Time that grows with the square of their number is minutes for these.
  it.each([
    ['children before their parent', 100_000],
    ['jumps back to the beginning', 100_000],
    // Half of it is the chain.
    ['circles of two behind a long chain', 50_000],
  ])('%s: a hundred thousand entries', (name, n) => {
    expect(checked(name, n).kind).toBe('transcript')
  })

  it('version 1: a hundred thousand compactions that keep from as many entries that go', () => {
    const n = 100_000
    const header = '{"type":"session","id":"s"}\n'
    const unfit = '{"type":"message","message":{"role":null}}\n'
    const compaction = '{"type":"compaction","summary":"s","firstKeptEntryIndex":1}\n'
    const { entries } = checkedText(header + unfit.repeat(n) + compaction.repeat(n))
    expect(entries).toEqual({ before: 2 * n + 1, dropped: n, after: n + 1 })
  })

  it('fifty thousand compactions that keep from one lost entry on, which as many entries followed', () => {
    const n = 50_000
    const header = '{"type":"session","id":"s","version":3}\n'
    const numbers = Array.from({ length: n }, (_, i) => i)
    const user = (i: number) =>
      `{"type":"message","id":"u${i}","parentId":"lost","message":{"role":"user","content":"x"}}\n`
    const compaction = (i: number) =>
      `{"type":"compaction","id":"k${i}","parentId":"u0","summary":"s","firstKeptEntryId":"lost"}\n`
    const { findings } = checkedText(header + numbers.map(user).join('') + numbers.map(compaction).join(''))
    const fixes = findings.filter((finding) => finding.class === 'dangling-first-kept').map(({ fix }) => fix)
    expect([fixes.length, ...new Set(fixes)]).toEqual([n, 'keeps from line 2 on'])
  })

  it.each(Object.keys(HOSTILE_TRANSCRIPTS))('%s: checked, and whole after the repair', (name) => {
    const { kind, entries, findings } = checked(name, 3000)
    expect(kind).toBe('transcript')
    expect(entries.after).toBe(entries.before - entries.dropped)
    expect(findings.every(({ line }) => line > 0)).toBe(true)
  })

  it('circles are each cut once, and all else stays', () => {
    const { findings, entries } = checked('circles of two behind a long chain', 200)
    expect(findings).toHaveLength(100)
    expect(new Set(findings.map((finding) => finding.class))).toEqual(new Set(['cycle']))
    expect(entries).toEqual({ before: 401, dropped: 0, after: 401 })
  })
})
