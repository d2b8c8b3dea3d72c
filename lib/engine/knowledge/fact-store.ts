import type { Fact } from '../../core/memory/fact'

/** Which facts are wanted. */
export type FactQuery = {
  /** Facts that hold any of these words; a store may answer more. null: whatever they say. */
  readonly terms: readonly string[] | null
  /** Facts of this scope, and those that concern everybody; undefined: of all scopes. */
  readonly scope?: string | null
}

/** Where facts are kept. Every method throws an error with a message for the operator when the store is down. */
export interface FactStore {
  /** For messages and the screen, e.g. `database` or `SurrealDB at http://127.0.0.1:8000`. */
  readonly name: string
  find(query: FactQuery): Promise<readonly Fact[]>
  /** Adds facts, or replaces those of the same id. */
  put(facts: readonly Fact[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

/** A store of ours that can replace another one, and remembers what that one has not got yet. */
export interface FactMirror extends FactStore {
  /** What was changed here and not passed on, oldest change first, and up to which change that is. */
  pending(): Promise<{
    readonly put: readonly Fact[]
    readonly removed: readonly string[]
    readonly upto: number
  }>
  /** Takes all changes up to one as passed on; what was changed again since waits on. */
  settle(upto: number): Promise<void>
  /** Keeps what the other store has, without passing it on; a change of ours that waits stays. */
  adopt(facts: readonly Fact[]): Promise<void>
}

/**
 * A store that lasts as long as its process.
 *
 * @example
 * ```ts
 * import { transientFacts } from 'plimsoll-agent'
 *
 * const store = transientFacts()
 * ```
 */
export function transientFacts(): FactMirror {
  const facts = new Map<string, Fact>()
  const waiting = new Map<string, { readonly what: 'put' | 'removed'; readonly change: number }>()
  let changes = 0
  const note = (id: string, what: 'put' | 'removed') => {
    waiting.delete(id)
    waiting.set(id, { what, change: ++changes })
  }
  return {
    name: 'memory of this process',
    find: async ({ scope }) =>
      [...facts.values()].filter(
        (fact) => scope === undefined || fact.scope === null || fact.scope === scope,
      ),
    put: async (some) => {
      for (const fact of some) {
        facts.set(fact.id, fact)
        note(fact.id, 'put')
      }
    },
    remove: async (ids) => {
      for (const id of ids) if (facts.delete(id)) note(id, 'removed')
    },
    pending: async () => ({
      put: [...waiting].flatMap(([id, { what }]) => (what === 'put' ? (facts.get(id) ?? []) : [])),
      removed: [...waiting].flatMap(([id, { what }]) => (what === 'removed' ? [id] : [])),
      upto: changes,
    }),
    settle: async (upto) => {
      for (const [id, { change }] of waiting) if (change <= upto) waiting.delete(id)
    },
    adopt: async (some) => {
      for (const fact of some) if (!waiting.has(fact.id)) facts.set(fact.id, fact)
    },
  }
}
