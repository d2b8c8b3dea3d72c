import { describe, expect, it } from 'vitest'
import { effectiveBudget } from '../core/budget/load-lines'
import { makeDemoStore } from './demo-store'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const ROOT = '/demo'
const files = makeDemoStore({ now: NOW, root: ROOT })
const transcripts = files.filter((file) => file.path.includes('.jsonl'))

type Line = { type?: string; timestamp?: string; message?: { role: string; usage?: Record<string, number> } }

function parse(text: string): { lines: Line[]; unreadable: number } {
  const lines: Line[] = []
  let unreadable = 0
  for (const line of text.trim().split('\n')) {
    try {
      lines.push(JSON.parse(line))
    } catch {
      unreadable++
    }
  }
  return { lines, unreadable }
}

describe('the demo store', () => {
  it('is the same for the same seed and clock, and another one for another seed', () => {
    expect(makeDemoStore({ now: NOW, root: ROOT })).toEqual(files)
    expect(makeDemoStore({ now: NOW, root: ROOT, seed: 1 })).not.toEqual(files)
  })

  it('has live, archived and damaged transcripts', () => {
    expect(transcripts.filter((file) => file.path.endsWith('.jsonl')).length).toBeGreaterThanOrEqual(9)
    expect(transcripts.some((file) => /\.jsonl\.reset\.[\dT-]+\.\d+Z$/.test(file.path))).toBe(true)
    expect(transcripts.some((file) => file.path.includes('.jsonl.deleted.'))).toBe(true)
    expect(transcripts.map((file) => parse(file.text).unreadable).filter((count) => count > 0)).toEqual([1])
  })

  it('ends before now and never goes back in time', () => {
    for (const { text } of transcripts) {
      const times = parse(text).lines.map((line) => Date.parse(line.timestamp ?? ''))
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(times.at(-1)).toBeLessThan(NOW)
    }
  })

  it('reports usage that grows with the content and never exceeds the budget', () => {
    for (const { path, text } of transcripts) {
      let last = 0
      for (const { type, message } of parse(text).lines) {
        if (type === 'compaction') last = 0
        const usage = message?.usage
        if (!usage?.totalTokens) continue
        const prompt = (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
        expect(prompt + (usage.output ?? 0)).toBe(usage.totalTokens)
        expect(prompt).toBeLessThanOrEqual(effectiveBudget(272_000))
        // A branch or a new model may look back; within one run the prompt only grows.
        if (path.includes('ledger')) expect(prompt).toBeGreaterThan(last)
        last = prompt
      }
    }
  })

  it('has one session close to its line and several compactions', () => {
    const text = transcripts.map((file) => file.text).join('\n')
    expect(text.match(/"type":"compaction"/g)?.length).toBeGreaterThanOrEqual(4)
    const full = transcripts.map((file) => {
      const usage = parse(file.text).lines.findLast((line) => line.message?.usage?.totalTokens)?.message
        ?.usage
      return (usage?.totalTokens ?? 0) / effectiveBudget(200_000)
    })
    expect(Math.max(...full)).toBeGreaterThan(0.95)
  })
})
