import type { Milliseconds } from '../../core/units/units'
import type { HeldLock } from '../write/lock-ports'
import { describeOwner, Refused } from '../write/refusal'
import { writableKind } from '../write/writable'
import { writeRoot } from '../write/write-root'
import type { CompactionPorts, CompactionRequest } from './compaction-ports'

/** A lock that a session is worked on under may last so much longer than one answer of a model takes. Ms. */
const GRACE_MS = 120_000

/** The index of a store is waited for at least as long as OpenClaw waits for it. Milliseconds. */
const INDEX_WAIT_MS = 10_000

/** What one piece of work on a session may keep its locks for, all times together. */
export class LockTime {
  private left: number

  constructor(
    { compaction }: CompactionRequest['policy'],
    private readonly now: () => number,
  ) {
    this.left = compaction.timeoutMs + GRACE_MS
  }

  /** Runs work under locks, which get what is left of the time, and gives them back. */
  async under<T>(
    take: (maxLockMs: Milliseconds) => Promise<readonly HeldLock[]>,
    work: (holds: readonly HeldLock[]) => Promise<T>,
    onRelease: () => void = () => undefined,
  ): Promise<T> {
    const holds = await take(Math.max(1, this.left))
    const since = this.now()
    try {
      return await work(holds)
    } finally {
      onRelease()
      for (const hold of [...holds].reverse()) await hold.release()
      this.left -= this.now() - since
    }
  }
}

/**
 * Takes the lock of a session that no process works with.
 * @param index also that of the store's index, when there is one: others that compact in that store are waited for
 * @throws Refused when a process works with it, or a lock cannot be had
 */
export async function lockSession(
  ports: CompactionPorts,
  request: CompactionRequest,
  maxLockMs: Milliseconds,
  index: string | null = null,
): Promise<readonly HeldLock[]> {
  const { writer } = ports
  const { store, transcript, wait, signal } = request
  request.onStep?.('lock')
  const file = await writer.files.realPath(transcript.path)
  const owner = await writer.live.find({
    file,
    root: writeRoot(store, transcript),
    kind: writableKind(store),
  })
  if (owner !== null)
    throw new Refused(
      'live',
      `This session is in use: ${describeOwner(owner)}. It is not compacted meanwhile; wait for the end of the turn, or use the runtime's own command.`,
    )
  const holds: HeldLock[] = []
  try {
    // By name, as every write takes its locks: two of them never wait for each other.
    for (const path of index === null ? [file] : [file, index].sort()) {
      const waitMs = path === index ? Math.max(wait.waitMs, INDEX_WAIT_MS) : wait.waitMs
      const { within: _, ...waiting } = wait
      holds.push(await takeLock(ports, path, { ...waiting, waitMs, maxLockMs, signal }))
    }
    return holds
  } catch (error) {
    for (const hold of holds.reverse()) await hold.release()
    throw error
  }
}

async function takeLock(
  { writer }: CompactionPorts,
  file: string,
  options: Parameters<typeof writer.locks.acquire>[1],
): Promise<HeldLock> {
  const taken = await writer.locks.acquire(file, options)
  if (taken.held) return taken.lock
  switch (taken.reason) {
    case 'busy':
      throw new Refused('locked', `${file} is locked by ${describeOwner(taken.owner)}. Try again later.`)
    case 'stopped':
      throw new Refused('stopped', 'Stopped while waiting for the lock; nothing was changed.')
    case 'failed':
      throw new Refused('failed', taken.problem)
  }
}
