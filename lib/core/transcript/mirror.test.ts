import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import type { EntryFact } from './entry'
import { readIndexEntry } from './formats/openclaw-index'
import { harnessName, mirrorRefusal, mirrorWords, ownerNow, ownerOf } from './mirror'

const index = (fields: object) => readIndexEntry('agent:main:main', { sessionId: 's', ...fields })

describe('B6 two owners of one session', () => {
  it('the index names the harness, and its own id of the session in any of its forms', () => {
    expect(ownerOf(index({ agentHarnessId: 'codex' }), null)).toEqual({ harness: 'codex', session: null })
    const claude = { agentHarnessId: 'claude-cli' }
    const forms = [
      { cliSessionBindings: { 'claude-cli': { sessionId: 'c1' } } },
      { cliSessionIds: { 'claude-cli': 'c1' } },
      { claudeCliSessionId: 'c1' },
      { claudeCliSessionId: 'old', cliSessionIds: { 'claude-cli': 'c1' } },
    ]
    for (const form of forms)
      expect(ownerOf(index({ ...claude, ...form }), null)).toEqual({ harness: 'claude-cli', session: 'c1' })
  })

  it('an answer names it: by its provider, or by the API of command lines', () => {
    const bound = index({ cliSessionIds: { 'claude-cli': 'c1' } })
    expect(ownerOf(bound, { provider: 'claude-cli' })).toEqual({ harness: 'claude-cli', session: 'c1' })
    expect(ownerOf(null, { provider: 'google-gemini-cli' })?.harness).toBe('google-gemini-cli')
    expect(ownerOf(null, { provider: 'my-agent', api: 'cli' })?.harness).toBe('my-agent')
    expect(ownerOf(null, { api: 'cli' })).toEqual({ harness: 'cli', session: null })
  })

  it('OpenClaw itself, an old binding and odd fields name no session', () => {
    expect(ownerOf(null, { provider: 'anthropic', api: 'anthropic-messages' })).toBeNull()
    expect(
      ownerOf(index({ agentHarnessId: 'openclaw', cliSessionIds: { 'claude-cli': 'c1' } }), null),
    ).toBeNull()
    for (const odd of [{ agentHarnessId: 7 }, { cliSessionBindings: 'x' }, { cliSessionIds: { a: 1 } }])
      expect(ownerOf(index(odd), null)).toBeNull()
  })

  it('of a session as it is now the newest answer counts, rows for the reader do not', () => {
    const t = new TranscriptBuilder()
    t.assistant('by the harness', { model: 'opus', fields: { provider: 'claude-cli', api: 'cli' } })
    t.assistant('sent', { model: 'delivery-mirror', fields: { provider: 'openclaw' } })
    expect(ownerNow(null, t.facts())?.harness).toBe('claude-cli')
    t.user('And now?')
    expect(ownerNow(null, t.facts())?.harness).toBe('claude-cli')
    const withHole: EntryFact[] = t.facts()
    withHole.length += 1
    expect(ownerNow(null, withHole)?.harness).toBe('claude-cli')
    t.assistant('by OpenClaw')
    expect(ownerNow(null, t.facts())).toBeNull()
  })

  it('is named in words', () => {
    expect(harnessName({ harness: 'claude-cli', session: null })).toBe('Claude CLI')
    expect(mirrorWords({ harness: 'codex', session: null })).toMatch(/^Codex ran this/)
    expect(harnessName({ harness: 'my-agent', session: null })).toBe('my-agent')
    expect(mirrorRefusal({ harness: 'codex', session: null })).toContain('history of this session; ')
    expect(mirrorRefusal({ harness: 'codex', session: 'c9' })).toContain(
      'Codex keeps the real history of this session (its session c9)',
    )
  })
})
