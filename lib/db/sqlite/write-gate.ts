/** Lets one thread at a time begin a write, without the sleeping retries of SQLite's own lock. */
export type WriteGate = {
  /** Blocks this thread until it is its turn. */
  enter(): void
  leave(): void
}

const FREE = 0
const TAKEN = 1

// A thread that died inside would block the others for ever; SQLite's own lock is there in any case.
const LONGEST_WAIT_MS = 2000

/** Memory for a gate, to be shared by the threads that use it. */
export function gateMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** A gate over shared memory. Not for a thread that has other things to do: waiting blocks it. */
export function writeGate(memory: SharedArrayBuffer): WriteGate {
  const cell = new Int32Array(memory)
  return {
    enter: () => {
      while (Atomics.compareExchange(cell, 0, FREE, TAKEN) === TAKEN) {
        if (Atomics.wait(cell, 0, TAKEN, LONGEST_WAIT_MS) === 'timed-out') return
      }
    },
    leave: () => {
      Atomics.store(cell, 0, FREE)
      Atomics.notify(cell, 0, 1)
    },
  }
}
