import { describe, expect, it } from 'vitest'
import type { LockOwner } from './lock-ports'
import { waitForLock } from './wait-for-lock'

const session = { file: '/s/a.jsonl', root: '/s', kind: 'openclaw' } as const
const run: LockOwner = { pid: 5, since: 1, command: 'openclaw-agent', via: 'run', evidence: 'process 5' }

/** Answers these one after the other, the last of them for ever. */
function owners(...answers: (LockOwner | null)[]) {
  let asked = 0
  return { find: async () => answers[Math.min(asked++, answers.length - 1)] ?? null, asked: () => asked }
}

describe('M4 waiting for a running turn', () => {
  it('ends with the turn, and says once for whom it waits', async () => {
    const reported: LockOwner[] = []
    const wait = { waitMs: 10_000, onWait: (owner: LockOwner) => reported.push(owner) }
    expect(await waitForLock(owners(run, run, null), session, wait)).toBeNull()
    expect(reported).toEqual([run])
  })

  it('ends when the wait is over, and at once without one', async () => {
    const live = owners(run)
    expect(await waitForLock(live, session, { waitMs: 300 })).toBe(run)
    expect(live.asked()).toBeGreaterThan(1)
    const impatient = owners(run, null)
    expect(await waitForLock(impatient, session, { waitMs: 0 })).toBe(run)
    expect(impatient.asked()).toBe(1)
  })

  it('does not wait for a gateway, for who wrote a moment ago, nor after it was stopped', async () => {
    const gateway = { ...run, via: 'gateway' } as const
    expect(await waitForLock(owners(gateway, null), session, { waitMs: 10_000 })).toBe(gateway)
    const recent = { ...run, via: 'recent' } as const
    expect(await waitForLock(owners(recent, null), session, { waitMs: 10_000 })).toBe(recent)
    const signal = AbortSignal.abort()
    expect(await waitForLock(owners(run, null), session, { waitMs: 10_000, signal })).toBe(run)
  })
})
