import { describe, expect, it } from 'vitest'
import { type SessionFacts, sessionHead } from './session-head'

const facts: SessionFacts = {
  id: 'a',
  store: { kind: 'openclaw', era: 'jsonl', label: 'OpenClaw', state: 'ok', problem: null },
  sessionId: 's1',
  key: 'agent:main:main',
  agent: 'main',
  channel: null,
  name: null,
  path: '/x.jsonl',
  state: 'live',
  problem: null,
  cwd: null,
  entries: 10,
  unreadable: 0,
  unknownTypes: 0,
  calls: 3,
  turns: 2,
  compactions: 0,
  bytes: 100,
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  window: 200_000,
  windowSource: 'index',
  contextTokens: 50_000,
  contextBasis: 'estimated',
  contextErrorPct: 3,
  costUsd: null,
  costUnknownCalls: 3,
  indexJson: null,
  startedAt: null,
  updatedAt: null,
  revision: 1,
}

describe('X3 head of a session', () => {
  it('names window, reserve and effective budget, and where the window comes from', () => {
    expect(sessionHead(facts).window).toEqual({
      tokens: 200_000,
      source: 'index',
      reserve: 20_000,
      budget: 180_000,
    })
  })

  it('has no window rather than an invented one', () => {
    expect(sessionHead({ ...facts, window: null, windowSource: null }).window).toBeNull()
  })

  it('carries the basis of what is in the window', () => {
    expect(sessionHead(facts).context).toEqual({ value: 50_000, basis: 'estimated', errorPct: 3 })
    expect(sessionHead({ ...facts, contextTokens: null, contextBasis: 'unknown' }).context.basis).toBe(
      'unknown',
    )
  })

  it('is called by its name, else its key, else its id, with hidden characters named', () => {
    expect(sessionHead(facts).title).toBe('agent:main:main')
    expect(sessionHead({ ...facts, key: null }).title).toBe('s1')
    expect(sessionHead({ ...facts, name: 'x\u202ey' }).title).toBe('x⟨RLO⟩y')
  })

  it('takes the report on the fixed part from the index entry', () => {
    const report = { systemPromptChars: 1, files: [], skills: [], tools: [] }
    expect(sessionHead({ ...facts, indexJson: JSON.stringify({ report }) }).report).toEqual(report)
    expect(sessionHead({ ...facts, indexJson: '{}' }).report).toBeNull()
  })
})
