import 'server-only'
import { oncePerProcess } from './process-memory'

/**
 * Does what keeps a core busy for long one after the other, in the order in which it was asked for; what fails does not
 * stop the next.
 * @param kind works of one kind wait for each other
 */
export function inTurn<T>(kind: string, work: () => Promise<T>): Promise<T> {
  const turn = oncePerProcess<{ last: Promise<unknown> }>(`turn ${kind}`, () => ({ last: Promise.resolve() }))
  const result = turn.last.then(work)
  turn.last = result.catch(() => undefined)
  return result
}
