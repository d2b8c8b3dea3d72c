import { describe, expect, it } from 'vitest'
import { archivedInAll, cleanupText, readCleanup, removedInAll } from './cleanup'

/** As OpenClaw 2026.9.6 prints it. */
const ANSWER = {
  agentId: 'main',
  storePath: '/s/agents/main/agent/openclaw-agent.sqlite',
  mode: 'enforce',
  dryRun: true,
  beforeCount: 6,
  afterCount: 4,
  missing: 0,
  dmScopeRetired: 0,
  modelRunPruned: 0,
  archived: 1,
  capArchived: 2,
  pruned: 2,
  capped: 0,
  unreferencedArtifacts: { scannedFiles: 3, removedFiles: 1, freedBytes: 10, olderThanMs: 1 },
  diskBudget: { totalBytesBefore: 9, totalBytesAfter: 9, removedFiles: 0, removedEntries: 3, freedBytes: 0 },
  wouldMutate: true,
}

const read = (more: object) => readCleanup({ ...ANSWER, ...more })
const good = (more: object) => {
  const answer = read(more)
  if (!answer.ok) throw new Error(answer.problem)
  return answer.cleanup
}

describe('N1 OpenClaw’s answer about its own maintenance', () => {
  it('is read with all its counts', () => {
    const cleanup = good({})
    expect(removedInAll(cleanup)).toBe(5)
    expect(archivedInAll(cleanup)).toBe(3)
    expect(cleanup.files).toEqual({ count: 1, bytes: 10 })
  })

  it('lacks what earlier releases do not count, which is nothing then', () => {
    const earlier = { archived: undefined, capArchived: undefined, unreferencedArtifacts: undefined }
    expect(good({ ...earlier, diskBudget: null })).toMatchObject({
      archived: { age: 0, cap: 0 },
      files: { count: 0 },
      disk: null,
    })
  })

  it.each([
    [{ storePath: undefined }, 'storePath'],
    [{ pruned: -1 }, 'pruned'],
    [{ beforeCount: '6' }, 'beforeCount'],
    [{ wouldMutate: 1 }, 'wouldMutate'],
    [{ diskBudget: {} }, 'diskBudget.removedEntries'],
  ])('is not taken for one when a field is missing or of another form: %j', (more, name) => {
    expect(read(more)).toEqual({ ok: false, problem: expect.stringMatching(`^${name}: `) })
  })

  it.each([null, [], 'Done', 3])('is not %j', (value) => {
    expect(readCleanup(value).ok).toBe(false)
  })

  it('is named by what it does, not by how large the store is', () => {
    const text = cleanupText(good({}))
    const sizes = { diskBudget: { ...ANSWER.diskBudget, totalBytesBefore: 10, freedBytes: 4 } }
    expect(cleanupText(good(sizes))).toBe(text)
    for (const other of [{ pruned: 1 }, { archived: 0 }, { wouldMutate: false }, { beforeCount: 7 }])
      expect(cleanupText(good(other))).not.toBe(text)
  })
})
