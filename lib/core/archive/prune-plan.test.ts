import { describe, expect, it } from 'vitest'
import { type PrunableCopy, type PruneRequest, planPrune } from './prune-plan'

const DAY = 86_400_000
const NOW = 100 * DAY

function copy(name: string, since: number | null, ...blocks: string[]): PrunableCopy {
  return { name, id: name, since, isReplaced: name.includes('.v'), blocks, bytes: 1 }
}

function plan(copies: readonly PrunableCopy[], given: Partial<PruneRequest> = {}) {
  const hashes = new Set([...copies.flatMap(({ blocks }) => blocks), 'unused'])
  return planPrune({
    copies,
    blocks: new Map([...hashes].map((hash) => [hash, 100])),
    keepMs: 30 * DAY,
    quotaBytes: 1000,
    now: NOW,
    goal: { kind: 'outlived' },
    named: new Set(),
    ...given,
  })
}

describe('what leaves the archive', () => {
  it('takes what was deleted longer ago than it is kept, and nothing of what is there', () => {
    const { remove, blocks, left } = plan([
      copy('there', null, 'a'),
      copy('young', NOW - 29 * DAY, 'b'),
      copy('old', NOW - 31 * DAY, 'c', 'c'),
      copy('there.v1', NOW - 31 * DAY, 'd'),
    ])
    expect(remove).toEqual([
      { name: 'old', id: 'old', why: 'deleted' },
      { name: 'there.v1', id: 'there.v1', why: 'replaced' },
    ])
    expect(blocks).toEqual(['unused', 'c', 'd'])
    expect(left).toBe(202)
  })

  it('keeps a block for as long as one copy names it', () => {
    const { blocks, freed } = plan([copy('old', 0, 'a', 'b'), copy('there', null, 'b')])
    expect(blocks).toEqual(['unused', 'a'])
    expect(freed).toBe(201)
  })

  it('makes room with the oldest first, and with no more than it takes', () => {
    const copies = [copy('older', 1, 'a'), copy('oldest', 0, 'b'), copy('there', null, 'c')]
    const room = (bytes: number, quotaBytes: number) =>
      plan(copies, { goal: { kind: 'room', bytes }, quotaBytes }).remove.map(({ name }) => name)
    expect(room(50, 1000)).toEqual([])
    expect(room(50, 300)).toEqual(['oldest'])
    expect(room(50, 200)).toEqual(['oldest', 'older'])
  })

  it('never takes the only copy of what was deleted a short time ago, whatever the quota is', () => {
    const young = [copy('young', NOW - DAY, 'a'), copy('there', null, 'b')]
    const { remove, blocks } = plan(young, { goal: { kind: 'room', bytes: 1 }, quotaBytes: 0 })
    expect(remove).toEqual([])
    expect(blocks).toEqual(['unused'])
  })

  it('takes what was named, of whatever age', () => {
    const { remove } = plan([copy('young', NOW, 'a'), copy('there', null, 'b')], {
      named: new Set(['there', 'young']),
      goal: { kind: 'room', bytes: 0 },
    })
    expect(remove.map(({ why }) => why)).toEqual(['named', 'named'])
  })
})
