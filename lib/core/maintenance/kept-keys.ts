/** Of the keys of sessions that must stay, those that can be in the index of this agent. null: of an agent without a name. */
export function keptOf(keys: readonly string[], agent: string | null): readonly string[] {
  return keys.filter((key) => {
    const owner = /^agent:([^:]+):/i.exec(key)?.[1]
    return owner === undefined || agent === null || owner.toLowerCase() === agent.toLowerCase()
  })
}
