import 'server-only'
import { oncePerProcess } from './process-memory'

/** What asks a process to end, as lib/cli/bin.cjs has it. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Does `work` when this process is asked to end, and not any more once the answer is called. The web server ends after
 * its last open request: what stays open for as long as a page does has to be ended by us.
 */
export function whenStopped(work: () => void): () => void {
  const all = oncePerProcess('work when stopped', () => {
    const waiting = new Set<() => void>()
    // Beside the web server's own: it goes on to end the process.
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        for (const one of waiting) one()
      })
    }
    return waiting
  })
  all.add(work)
  return () => void all.delete(work)
}
