import 'server-only'
import { oncePerProcess } from '../process/process-memory'

const waiting = () => oncePerProcess('work when signed out', () => new Set<() => void>())

/**
 * Does `work` whenever somebody signs out, and not any more once the answer is called: what goes on longer than a request
 * examines then whether it may.
 */
export function whenSignedOut(work: () => void): () => void {
  const all = waiting()
  all.add(work)
  return () => void all.delete(work)
}

/** Says that a session was ended by its owner. */
export function noteSignOut(): void {
  for (const work of [...waiting()]) work()
}
