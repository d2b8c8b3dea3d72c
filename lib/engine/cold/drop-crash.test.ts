import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import type { ContentMessage } from '../../core/history/thinking'
import { coldAgent, MEMFAS, NOW, said } from '../../testing/cold-conversation'
import { endsOf, failingFiles, type InjectedFault, Killed } from '../../testing/failing-files'
import { contentText, sizeOf } from '../../testing/live-conversation'
import { MemoryDisk } from '../../testing/memory-disk'
import { runs } from '../../testing/runs'

const ASK = said('user', 'Which crane stands at pier seven?')

/** Short messages that have nothing to do with the question; the last five stay. */
function notes(count: number): ContentMessage[] {
  return Array.from({ length: count }, (_, i) =>
    said('assistant', `ledger page ${i}: nothing`, NOW - 86_400_000),
  )
}

/**
 * Drops `count` chunks while the process is killed as `fault` says, and power fails after it. Answers whether it was, how
 * many messages are neither in the context nor in cold storage, and how many system calls there were.
 */
async function dropKilled(count: number, fault: InjectedFault | null, chance: () => number) {
  const disk = new MemoryDisk()
  const failing = failingFiles(disk, fault)
  const messages = [...notes(count + 4), ASK]
  const window = Math.round((messages.reduce((sum, message) => sum + sizeOf(message), 0) * 1.2) / 0.45)
  const { context, held } = coldAgent(messages, MEMFAS, { files: failing.files, window })
  const { drop, warnings } = await context.afterResponse()
  const kept = held.messages.map(contentText)
  disk.losePower(chance)
  const { chunks } = await fileColdStore(disk, '/cold', () => 'after').list()
  const there = new Set([...kept, ...chunks.map(({ content }) => content)])
  return {
    killed: failing.killed(),
    lost: messages.filter((message) => !there.has(contentText(message))).length,
    left: messages.length - kept.length,
    calls: failing.calls,
    syncs: failing.calls.filter(
      (call) => call.startsWith('fsync') && call.includes('journal') && !call.endsWith('/'),
    ).length,
    drop,
    warnings,
  }
}

test('I1, I10: a drop of 1,000 chunks flushes its batch once, and all of it is there after a loss of power', async () => {
  const done = await dropKilled(1_000, null, () => 0)
  expect(done).toMatchObject({ killed: false, lost: 0, left: 1_000, syncs: 1, warnings: [] })
  expect(done.drop?.dropped).toHaveLength(1_000)
})

test('I1: killed at whatever call, nothing is both gone from the context and absent from cold storage', async () => {
  const { calls } = await dropKilled(6, null, () => 0)
  for (const end of endsOf(calls)) {
    const done = await dropKilled(6, end, () => 0)
    expect([end, done.killed, done.lost]).toEqual([end, true, 0])
  }
})

test('I1: a drop of 1,000 chunks, killed anywhere, with any luck after it', async () => {
  const { calls } = await dropKilled(1_000, null, () => 0)
  let stopped = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat(calls.length - 1),
      fc.constantFrom('before' as const, 'half' as const, 'after' as const),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 20, maxLength: 20 }),
      async (at, kind, luck) => {
        let i = 0
        const done = await dropKilled(1_000, { at, kind }, () => luck[i++ % luck.length] ?? 0)
        expect(done.lost).toBe(0)
        if (done.left === 0) stopped += 1
      },
    ),
    runs(10),
  )
  expect(stopped).toBeGreaterThan(0)
})

test('a process that is killed is distinguished from a disk that fails', async () => {
  const done = await dropKilled(6, { at: 3, code: 'ENOSPC' }, () => 0)
  expect(done).toMatchObject({ killed: false, lost: 0, left: 0 })
  expect(done.warnings.join()).toContain('disk is full')
  expect(new Killed('x')).toBeInstanceOf(Error)
})
