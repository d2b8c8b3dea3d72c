import { beforeEach, describe, expect, it } from 'vitest'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { planSourceOf } from '../../testing/memory-session'
import { testWriter } from '../../testing/test-writer'
import { inspectSession } from '../read/inspect-session'
import { comparePlans } from './compare-plans'

let disk: MemoryDisk

beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(COMPACTED_FILE, tenTurns().text())
})

async function open() {
  const made = await compactionWorld(disk, testWriter(disk), new Map())
  const { reader } = made.ports
  const session = await inspectSession(reader, made.request.store, made.request.transcript, { sizes: true })
  const ports = { ...made.ports, models: { chainFor: () => null, prices: {} }, memories: [] }
  return { ports, source: await planSourceOf({ reader, session }) }
}

const keeping = (keepRecentTokens: number, at = 0.5) => ({
  ...COMPACTION_POLICY,
  compaction: { ...COMPACTION_POLICY.compaction, keepRecentTokens },
  lines: { ...COMPACTION_POLICY.lines, compact: { enabled: true, at } },
})

describe('X10 policies side by side', () => {
  it('has what each makes of the session, in the order given, and writes nothing', async () => {
    const { ports, source } = await open()
    const before = disk.text(COMPACTED_FILE)
    const [much, little] = await comparePlans(
      ports,
      source,
      [
        { name: 'much', policy: keeping(1_200) },
        { name: 'little', policy: keeping(10) },
      ],
      { digest: true },
    )
    expect(much?.name).toBe('much')
    expect(little?.tokensAfter.value).toBeLessThan(much?.tokensAfter.value ?? 0)
    expect(little?.chunks?.keep).toBeLessThan(much?.chunks?.keep ?? 0)
    expect(little?.sameAs).toBeNull()
    expect(disk.text(COMPACTED_FILE)).toBe(before)
  })

  it('says which does the same as one before it, whatever their lines', async () => {
    const { ports, source } = await open()
    const rows = await comparePlans(
      ports,
      source,
      [
        { name: 'a', policy: keeping(10, 0.5) },
        { name: 'b', policy: keeping(10, 0.4) },
        { name: 'c', policy: keeping(1_200) },
      ],
      { digest: true },
    )
    expect(rows.map(({ sameAs }) => sameAs)).toEqual([null, 'a', null])
    expect(rows[1]?.line).toBeLessThan(rows[0]?.line ?? 0)
  })

  it('counts how often the recorded calls rose through the line, and has none where compaction is off', async () => {
    const { ports, source } = await open()
    const totals = source.session.frames.map(({ total }) => total.value ?? 0)
    const second = totals[1] ?? 0
    const window = source.frame.window.tokens
    const [low, off] = await comparePlans(
      ports,
      source,
      [
        { name: 'low', policy: keeping(10, second / window) },
        {
          name: 'off',
          policy: { ...keeping(10), compaction: { ...COMPACTION_POLICY.compaction, mode: 'off' } },
        },
      ],
      { digest: true },
    )
    expect(low?.crossed).toEqual({
      times: 1,
      first: totals.findIndex((total) => total >= (low?.line ?? 0)) + 1,
    })
    expect(off).toMatchObject({
      line: null,
      crossed: { times: 0, first: null },
      nothing: 'off',
      chunks: null,
    })
  })
})
