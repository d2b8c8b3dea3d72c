import type { CompactionPorts, CompactionRequest } from './compaction-ports'
import type { Hold } from './lock-ports'
import { describeOwner, Refused } from './refusal'
import { writeRoot } from './write-root'

/**
 * Takes the lock of a session that nobody works with.
 * @throws Refused when somebody does, or the lock cannot be had
 */
export async function holdSession({ writer }: CompactionPorts, request: CompactionRequest): Promise<Hold> {
  const { store, transcript, wait, signal } = request
  request.onStep?.('lock')
  const file = await writer.files.realPath(transcript.path)
  const owner = await writer.live.find({ file, root: writeRoot(store, transcript), kind: store.kind })
  if (owner !== null)
    throw new Refused(
      'live',
      `Somebody works with this session: ${describeOwner(owner)}. It is not compacted meanwhile; wait for the end of the turn, or use the runtime's own command.`,
    )
  const taken = await writer.locks.take(file, { ...wait, signal })
  if (taken.held) return taken.hold
  switch (taken.reason) {
    case 'busy':
      throw new Refused('locked', `${file} is locked by ${describeOwner(taken.owner)}. Try again later.`)
    case 'stopped':
      throw new Refused('stopped', 'Stopped while waiting for the lock; nothing was changed.')
    case 'failed':
      throw new Refused('failed', taken.problem)
  }
}
