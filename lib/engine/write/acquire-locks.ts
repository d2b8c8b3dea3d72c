import { reasonOf } from '../../core/words/reason-of'
import type { StoreKind } from '../read/ports'
import type { HeldLock } from './lock-ports'
import { isOwnWrite } from './own-write'
import { describeOwner, Refused } from './refusal'
import { waitForLock } from './wait-for-lock'
import type { Writer } from './write-ports'
import type { WaitOptions } from './write-requests'

/** The right to write certain files. */
export type HeldLocks = {
  /** @throws Refused when the right to write the file was lost */
  demand(path: string): Promise<void>
  /** Gives everything back; answers what could not be. */
  release(): Promise<string[]>
}

export type LocksRequest = {
  readonly paths: readonly string[]
  readonly root: string
  readonly kind: StoreKind
  readonly wait: WaitOptions
}

/**
 * Takes the locks of all paths, in the order of their names, so that two writers cannot wait for each other. Refuses a
 * session that a process works with; asked again once the locks are ours, since waiting can take a while.
 * @throws Refused
 */
export async function acquireLocks(writer: Writer, request: LocksRequest): Promise<HeldLocks> {
  const paths = [...new Set(request.paths)].sort()
  const until = writer.clock.now() + request.wait.waitMs
  await refuseLive(writer, request, paths, until)
  const holds = new Map<string, HeldLock>()
  const release = async () => {
    const problems: string[] = []
    for (const hold of [...holds.values()].reverse()) {
      await hold.release().catch((error: unknown) => {
        const why = reasonOf(error)
        problems.push(`The lock ${hold.lockFile} could not be given back: ${why}`)
      })
    }
    return problems
  }
  try {
    for (const path of paths) {
      const waitMs = Math.max(0, until - writer.clock.now())
      holds.set(path, await takeLock(writer, path, { ...request.wait, waitMs }))
    }
    // Under our locks there is no waiting: the turn may be waiting for them.
    await refuseLive(writer, request, paths, null)
  } catch (error) {
    await release()
    throw error
  }
  return {
    release,
    demand: async (path) => {
      const hold = holds.get(path)
      if (hold !== undefined && (await hold.stillHeld())) return
      throw new Refused(
        'locked',
        `${path}: its lock was lost before the file was replaced (held too long, or taken away). Try again.`,
      )
    },
  }
}

async function takeLock(writer: Writer, path: string, { within, ...wait }: WaitOptions): Promise<HeldLock> {
  const theirs = within?.find(({ lockFile }) => lockFile === `${path}.lock`)
  const taken = await writer.locks.acquire(path, theirs === undefined ? wait : { ...wait, within: theirs })
  if (taken.held) return taken.lock
  switch (taken.reason) {
    case 'busy':
      throw new Refused(
        'locked',
        `${path} is locked by ${describeOwner(taken.owner)}. Wait for its end and try again.`,
      )
    case 'stopped':
      throw new Refused('stopped', `Stopped while waiting for the lock of ${path}; nothing was changed.`)
    case 'failed':
      throw new Refused('failed', taken.problem)
  }
}

/** @param until when the wait for a running turn is over; null: it is not waited for */
async function refuseLive(
  writer: Writer,
  { root, kind, wait }: LocksRequest,
  paths: readonly string[],
  until: number | null,
): Promise<void> {
  for (const file of paths) {
    const waitMs = until === null ? 0 : Math.max(0, until - writer.clock.now())
    const owner = await waitForLock(writer.live, { file, root, kind }, { ...wait, waitMs })
    if (owner === null || (owner.via === 'recent' && (await isOwnWrite(writer, file)))) continue
    if (owner.via === 'recent')
      throw new Refused('live', `${describeOwner(owner)}, since its runtime has no lock. Try again then.`)
    const what = owner.via === 'gateway' ? 'A gateway serves this session' : 'This session is in use'
    throw new Refused(
      'live',
      `${what}: ${describeOwner(owner)}. It is not written meanwhile; stop it or wait, then try again.`,
    )
  }
}
