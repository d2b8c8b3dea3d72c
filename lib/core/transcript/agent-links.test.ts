import { describe, expect, it } from 'vitest'
import { type AgentFacts, agentsOf, linkAgents } from './agent-links'

function session(sessionId: string, parent: string | null, over: Partial<AgentFacts> = {}): AgentFacts {
  return { store: '/s', kind: 'codex', sessionId, key: null, parent, ...over }
}

const links = (items: readonly AgentFacts[]) => linkAgents(items, (item) => item)

describe('sub-agents and the sessions that they work for', () => {
  it('are linked by id within a runtime, whichever of its stores has the parent', () => {
    const top = session('a', null, { store: '/archived' })
    const child = session('b', 'a')
    expect(links([child, top]).get(child)).toBe(top)
    expect(links([child, session('a', null, { kind: 'claude-code' })]).size).toBe(0)
  })

  it('are linked to the first of several with one id, and by id before by key', () => {
    const [first, second] = [session('a', null), session('a', null, { store: '/archived' })]
    const child = session('b', 'a')
    expect(links([first, second, child]).get(child)).toBe(first)
    expect(links([session('c', null, { key: 'a' }), first, child]).get(child)).toBe(first)
  })

  it('are linked by key within a store', () => {
    const top = session('a', null, { key: 'agent:main:main' })
    const child = session('b', 'agent:main:main')
    expect(links([top, child]).get(child)).toBe(top)
    expect(links([top, session('b', 'agent:main:main', { store: '/other' })]).size).toBe(0)
  })

  it('are listed under each that has any; a session is not its own sub-agent', () => {
    const items = [session('a', null), session('b', 'a'), session('c', 'a'), session('d', 'd')]
    const [a, b, c] = items
    expect([...agentsOf(links(items))]).toEqual([[a, [b, c]]])
  })
})
