import { describe, expect, it } from 'vitest'
import { Branches } from '../../core/transcript/branches'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { branchMarks } from './branch-marks'

function marksOf(builder: TranscriptBuilder) {
  return branchMarks(Branches.of(builder.facts()))
}

describe('X5 branches of a transcript', () => {
  it('has one branch without forks when every entry follows the one before', () => {
    const builder = new TranscriptBuilder()
    builder.user('a')
    builder.assistant('b')
    const { active, forks } = marksOf(builder)
    expect([...active].sort()).toEqual([1, 2])
    expect(forks.size).toBe(0)
  })

  it('tells the abandoned branch from the active one, and where the new one begins', () => {
    const builder = new TranscriptBuilder()
    const first = builder.user('a')
    builder.assistant('abandoned')
    builder.user('abandoned too')
    builder.assistant('again', { over: { parentId: first } })
    const { active, forks, turns } = marksOf(builder)
    expect(turns).toEqual([1, 3])
    expect([...active].sort()).toEqual([1, 4])
    expect([...forks]).toEqual([4])
  })

  it('puts labels on the entries they point at', () => {
    const builder = new TranscriptBuilder()
    const first = builder.user('a')
    builder.entry('label', { targetId: first, label: 'start' })
    builder.assistant('b')
    const { labels, targets, forks } = marksOf(builder)
    expect(labels.get(1)).toEqual(['start'])
    expect(targets.get(2)).toBe(1)
    expect(forks.size).toBe(0)
  })

  it('does not take an unreadable line for a branch', () => {
    const builder = new TranscriptBuilder()
    builder.user('a')
    builder.raw('{"torn')
    builder.assistant('b')
    expect(marksOf(builder).forks.size).toBe(0)
  })
})
