import type { Turns } from '../../engine/write-ports'

// Kept on globalThis because a bundler may hold several copies of this module in one process.
const QUEUES = Symbol.for('plimsoll.write-turns')
type Queues = Map<string, Promise<void>>

function queues(): Queues {
  const holder = globalThis as { [QUEUES]?: Queues }
  holder[QUEUES] ??= new Map()
  return holder[QUEUES]
}

/** One queue for each path, shared by all writers of this process. */
export const processTurns: Turns = {
  take: async (path) => {
    const before = queues().get(path) ?? Promise.resolve()
    let end: () => void = () => undefined
    const mine = new Promise<void>((done) => {
      end = done
    })
    const tail = before.then(() => mine)
    queues().set(path, tail)
    await before
    return () => {
      end()
      if (queues().get(path) === tail) queues().delete(path)
    }
  },
}
