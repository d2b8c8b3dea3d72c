import { describe, expect, it } from 'vitest'
import { type SessionLoad, sessionLoad } from '../../core/budget/session-load'
import { estimated, measured } from '../../core/tokens/figure'
import type { SessionFacts } from '../../core/transcript/session-facts'
import { runtimePolicyWith, settingsFile } from '../../testing/builders/runtime-policy'
import { sessionHead, sizeFacts } from './session-head'

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
  version: 3,
  entries: 10,
  unreadable: 0,
  unknownTypes: 0,
  calls: 3,
  turns: 2,
  compactions: 0,
  bytes: 100,
  unfinished: 0,
  provider: 'anthropic',
  model: 'claude-sonnet-4-6',
  window: 200_000,
  windowSource: 'index',
  believedWindow: null,
  believedSource: null,
  contextTokens: 50_000,
  contextBasis: 'estimated',
  contextErrorPct: 3,
  costUsd: null,
  costUnknownCalls: 3,
  listUsd: null,
  unpriced: 3,
  indexJson: null,
  startedAt: null,
  updatedAt: null,
  revision: 1,
}

const LOAD: SessionLoad | null = sessionLoad(runtimePolicyWith(), 'claude-sonnet-4-6', {
  tokens: 200_000,
  source: 'index',
})

describe('X1 X3 what is wrong with a session', () => {
  const textsOf = (patch: Partial<SessionFacts>) =>
    sessionHead({ ...facts, ...patch }, LOAD).notices.map(({ text }) => text)

  it('is nothing for a sound one', () => {
    expect(textsOf({})).toEqual([])
  })

  it('is said in full: of its store, of itself, and of its file', () => {
    const store = { ...facts.store, state: 'locked', problem: 'it is locked by another process' }
    expect(textsOf({ store, problem: 'no room', version: 0, unfinished: 7 })).toEqual([
      'it is locked by another process',
      'no room',
      expect.stringContaining('No session header'),
      expect.stringContaining('not finished (7 bytes)'),
    ])
  })
})

describe('X3 head of a session', () => {
  it('names window, reserve and effective budget, and where the window comes from', () => {
    expect(sessionHead(facts, LOAD).window).toEqual({
      tokens: 200_000,
      source: 'index',
      reserve: 20_000,
      believed: null,
      budget: 180_000,
      from: 'OpenClaw 2026.2.26',
      runtime: 'OpenClaw 2026.2.26',
      settings: [],
      assumed: [],
    })
    const files = [settingsFile('openclaw.json', { reserve: { tokens: 30_000 }, window: { cap: 150_000 } })]
    const load = sessionLoad(runtimePolicyWith({ files }), null, { tokens: 200_000, source: 'index' })
    expect(sessionHead(facts, load).window).toEqual({
      tokens: 150_000,
      source: 'cap',
      reserve: 30_000,
      believed: null,
      budget: 120_000,
      from: 'OpenClaw 2026.2.26, openclaw.json',
      runtime: 'OpenClaw 2026.2.26, openclaw.json',
      assumed: [],
      settings: [],
    })
  })

  it('has no window rather than an invented one', () => {
    expect(sessionHead({ ...facts, window: null, windowSource: null }, null).window).toBeNull()
  })

  it('carries the basis of what is in the window', () => {
    expect(sessionHead(facts, LOAD).context).toEqual({ value: 50_000, basis: 'estimated', errorPct: 3 })
    expect(sessionHead({ ...facts, contextTokens: null, contextBasis: 'unknown' }, LOAD).context.basis).toBe(
      'unknown',
    )
  })

  it('holds its size against the effective budget', () => {
    expect(sizeFacts(sessionHead(facts, LOAD))).toEqual([
      { name: 'In the window now', figure: estimated(50_000, 3), words: '28\u202f% of budget' },
    ])
    expect(sizeFacts({ context: estimated(50_000, 3), window: null })[0]?.words).toBe('')
  })

  it('of prompts that the provider cuts it names what arrives and what was needed, over one base', () => {
    const { window } = sessionHead(facts, LOAD)
    if (window === null) throw new Error('a window was expected')
    const cut = { ...window, tokens: 4_096, source: 'cut', budget: 2_048 } as const
    expect(sizeFacts({ context: estimated(16_000, 8), window: cut })).toEqual([
      { name: 'Reaches the model', figure: measured(4_096), words: 'the provider cuts the rest' },
      { name: 'The transcript needs', figure: estimated(16_000, 8), words: '391\u202f% of that' },
    ])
    expect(sizeFacts({ context: measured(3_000), window: cut })).toEqual([
      { name: 'In the window now', figure: measured(3_000), words: '73\u202f% of what the provider takes' },
    ])
  })

  it('is called by its name, else its key, else its id, with hidden characters named', () => {
    expect(sessionHead(facts, LOAD).title).toBe('agent:main:main')
    expect(sessionHead({ ...facts, key: null }, LOAD).title).toBe('s1')
    expect(sessionHead({ ...facts, name: 'x\u202ey' }, LOAD).title).toBe('x⟨RLO⟩y')
  })

  it('takes the report on the fixed part from the index entry', () => {
    const report = { systemPromptChars: 1, files: [], skills: [], tools: [] }
    expect(sessionHead({ ...facts, indexJson: JSON.stringify({ report }) }, LOAD).report).toEqual(report)
    expect(sessionHead({ ...facts, indexJson: '{}' }, LOAD).report).toBeNull()
  })
})
