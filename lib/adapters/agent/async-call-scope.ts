import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallScope } from '../../engine/jobs/call-scope'

/** Work that runs, within other work. */
type Frame = { readonly name: string; readonly outer: Frame | null; isOpen: boolean }

/** Scopes by Node's own account of which call led to which. What work leaves behind after its end is outside of it. */
export function asyncCallScope(): CallScope {
  const storage = new AsyncLocalStorage<Frame>()
  const open = function* () {
    for (let frame = storage.getStore() ?? null; frame !== null; frame = frame.outer)
      if (frame.isOpen) yield frame.name
  }
  return {
    run: async (name, work) => {
      const frame: Frame = { name, outer: storage.getStore() ?? null, isOpen: true }
      try {
        return await storage.run(frame, work)
      } finally {
        frame.isOpen = false
      }
    },
    current: () => open().next().value ?? null,
    isInside: (name) => [...open()].includes(name),
  }
}
