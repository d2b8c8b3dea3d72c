import { describe, expect, it } from 'vitest'
import { formatPercent } from '../text/format'
import { agentTree } from './agent-tree'

const NONE = { besides: 0, besidesTokens: 0, besidesUsd: null, unpriced: 0, costUsd: null, listUsd: null }

function session(id: string, depth: number, over: object = {}) {
  return {
    ...{ id, title: id, depth, agent: null, model: 'm', calls: 2, largest: 900, updatedAt: 5 },
    ...{ input: 100, output: 10, cacheRead: 800, cacheWrite: 90 },
    ...NONE,
    ...over,
  }
}

describe('the tree of a session and its sub-agents', () => {
  it('says what each is of the bill, the session itself on top', () => {
    const tree = agentTree([session('top', 0, { listUsd: 3 }), session('sub', 1, { costUsd: 1 })], 'codex')
    expect(tree?.agents).toBe(1)
    expect(tree?.rows.map(({ title, tokens, price, share }) => [title, tokens, price, share])).toEqual([
      ['top', 1000, '≈ $3.00', formatPercent(0.75)],
      ['sub', 1000, '$1.00', formatPercent(0.25)],
    ])
  })

  it('trap: where a part of the bill is unknown, no share is said, and unknown is not nothing', () => {
    const tree = agentTree([session('top', 0, { listUsd: 3, unpriced: 1 }), session('sub', 1)], 'codex')
    expect(tree?.rows.map(({ price, share }) => [price, share])).toEqual([
      ['≈ $3.00+', '?'],
      ['unpriced', '?'],
    ])
  })

  it('requests in the file of the session are a row of theirs, and are taken from it', () => {
    const within = { besides: 4, besidesTokens: 600, besidesUsd: 1, listUsd: 4 }
    const tree = agentTree([session('top', 0, within)], 'claude-code')
    expect(
      tree?.rows.map(({ id, depth, calls, tokens, share }) => [id, depth, calls, tokens, share]),
    ).toEqual([
      ['top', 0, 2, 400, formatPercent(0.75)],
      [null, 1, 4, 600, formatPercent(0.25)],
    ])
  })

  it('is none where nothing works for the session', () => {
    expect(agentTree([session('top', 0)], 'pi')).toBeNull()
  })
})
