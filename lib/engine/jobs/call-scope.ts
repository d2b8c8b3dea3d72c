/**
 * Knows which piece of work a call comes from, however many awaits lie between, so that nothing waits for itself.
 * The caller chooses the names.
 */
export interface CallScope {
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Name of the innermost work that this call comes from and that has not ended; null: of none. */
  current(): string | null
  /** Whether this call comes from work of that name, at any depth. */
  isInside(name: string): boolean
}

/**
 * For places where the system cannot tell where a call comes from: while a piece of work runs, every call counts as one
 * of it. A call that comes in from elsewhere meanwhile is refused then, and nothing hangs.
 */
export function plainCallScope(): CallScope {
  const open: string[] = []
  return {
    run: async (name, work) => {
      open.push(name)
      try {
        return await work()
      } finally {
        open.splice(open.lastIndexOf(name), 1)
      }
    },
    current: () => open.at(-1) ?? null,
    isInside: (name) => open.includes(name),
  }
}
