import { describe, expect, it } from 'vitest'
import type { Cleanup } from '../../core/maintenance/cleanup'
import { cleanupText } from '../../core/maintenance/cleanup'
import { MemoryDisk } from '../../testing/memory-disk'
import { testWriter } from '../../testing/test-writer'
import type { LockOwner } from '../write/lock-ports'
import { type CleanDatabaseRequest, cleanDatabase } from './clean-database'

const DATABASE = '/s/agents/main/agent/openclaw-agent.sqlite'
const NONE = { missing: 0, dmScopeRetired: 0, modelRunPruned: 0, pruned: 0, capped: 0 }
const CLEANUP: Cleanup = {
  database: DATABASE,
  dryRun: true,
  before: 2,
  after: 1,
  removed: { ...NONE, pruned: 1 },
  archived: { age: 0, cap: 0 },
  files: { count: 0, bytes: 0 },
  disk: null,
  changes: true,
}
const REQUEST: CleanDatabaseRequest = {
  place: { root: '/s', database: DATABASE, agent: 'main', stateFolder: '/s', remote: false },
  active: null,
  fixMissing: false,
  actor: 'test',
  expected: null,
  wait: { waitMs: 0 },
}

async function clean(request: Partial<CleanDatabaseRequest>, live: LockOwner | null = null) {
  const writer = testWriter(new MemoryDisk(), { live })
  let changed = 0
  const result = await cleanDatabase(
    {
      ...writer,
      commands: {
        previewCleanup: async () => ({ kind: 'answered', answer: CLEANUP }),
        cleanUp: async () => {
          changed++
          return { kind: 'stopped' }
        },
        doctor: async () => ({ kind: 'stopped' }),
      },
      census: {
        keys: async () => new Set(['agent:main:main']),
        take: async () => ({ keys: new Map(), transcripts: new Map(), archives: new Map() }),
      },
    },
    { ...REQUEST, ...request },
  )
  return { result, changed, receipts: await writer.receipts.ids() }
}

describe('a database of OpenClaw is left alone', () => {
  it('while somebody runs a turn in it', async () => {
    const turn = { pid: 7, since: null, command: 'openclaw', via: 'run', evidence: 'process 7' } as const
    const { result, changed, receipts } = await clean({}, turn)
    expect(result).toMatchObject({
      kind: 'refused',
      refusal: { code: 'live', message: expect.stringContaining('process 7') },
    })
    expect([changed, receipts]).toEqual([0, []])
  })

  it('when OpenClaw would do something else than what was looked at', async () => {
    const expected = cleanupText({ ...CLEANUP, removed: { ...NONE, pruned: 2 } })
    const { result, changed, receipts } = await clean({ expected })
    expect(result).toMatchObject({ kind: 'refused', refusal: { code: 'changed' } })
    expect([changed, receipts]).toEqual([0, []])
    expect((await clean({ expected: cleanupText(CLEANUP) })).changed).toBe(1)
  })

  it('N5 when the session that must stay is none of its sessions', async () => {
    const { result, changed, receipts } = await clean({ active: 'agent:main:mian' })
    expect(result).toMatchObject({
      kind: 'refused',
      refusal: { code: 'missing', message: expect.stringContaining('"agent:main:mian"') },
    })
    expect([changed, receipts]).toEqual([0, []])
    expect((await clean({ active: 'agent:main:main' })).changed).toBe(1)
  })

  it('when it is stopped before it did anything, and the receipt says so', async () => {
    const { result, receipts } = await clean({})
    expect(result).toMatchObject({ kind: 'refused', refusal: { code: 'stopped' } })
    expect(receipts).toHaveLength(1)
  })
})
