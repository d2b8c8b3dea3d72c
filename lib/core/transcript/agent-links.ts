/** What decides which session a sub-agent works for. */
export type AgentFacts = {
  /** Id or root of the store, and its runtime. */
  readonly store: string
  readonly kind: string
  readonly sessionId: string
  readonly key: string | null
  /** The session that it works for, by the runtime's own id or key; null: it is no sub-agent. */
  readonly parent: string | null
}

/** Runs of agents that start agents; a ring of them, as a file may claim, ends here. */
export const MOST_AGENT_DEPTH = 8

/**
 * The session that each sub-agent works for, where that is among the items: of the same runtime by its id (a store of
 * archived sessions may hold it), of the same store by its key. The database links by the same rule
 * (db/queries/sub-agents.ts).
 */
export function linkAgents<T>(items: readonly T[], factsOf: (item: T) => AgentFacts): ReadonlyMap<T, T> {
  const byId = new Map<string, T>()
  const byKey = new Map<string, T>()
  for (const item of items) {
    const { store, kind, sessionId, key } = factsOf(item)
    const id = JSON.stringify([kind, sessionId])
    if (!byId.has(id)) byId.set(id, item)
    if (key !== null) byKey.set(JSON.stringify([store, key]), item)
  }
  const links = new Map<T, T>()
  for (const item of items) {
    const { store, kind, parent } = factsOf(item)
    if (parent === null) continue
    const found = byId.get(JSON.stringify([kind, parent])) ?? byKey.get(JSON.stringify([store, parent]))
    if (found !== undefined && found !== item) links.set(item, found)
  }
  return links
}

/** The sub-agents of each item that has any, without theirs. */
export function agentsOf<T>(links: ReadonlyMap<T, T>): ReadonlyMap<T, readonly T[]> {
  const found = new Map<T, T[]>()
  for (const [child, parent] of links) {
    const known = found.get(parent)
    if (known === undefined) found.set(parent, [child])
    else known.push(child)
  }
  return found
}
