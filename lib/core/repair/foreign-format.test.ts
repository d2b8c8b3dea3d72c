import { describe, expect, it } from 'vitest'
import { checkLines } from '../../testing/repair/check-lines'

describe('files of other programs', () => {
  it.each([
    ['Codex', 'codex', '{"type":"session_meta","payload":{}}'],
    ['Codex', 'codex', '{"instructions":null,"timestamp":"2026-01-01"}'],
    ['Codex', 'codex', '{"record_type":"state"}'],
    ['Claude Code', 'claude-code', '{"parentUuid":null,"type":"user"}'],
    ['Claude Code', 'claude-code', '{"leafUuid":"x","type":"other"}'],
    ['Claude Code', 'claude-code', '{"type":"file-history-snapshot"}'],
    ['Claude Code', 'claude-code', '{"type":"summary"}'],
    ['Claude Code', 'claude-code', '{"type":"from-tomorrow","sessionId":"s"}'],
    ['OpenClaw’s run traces', undefined, '{"traceSchema":"1"}'],
  ])(
    '%s is recognised by its first entry, and whose check can look at it is said: %s, %s',
    (name, form, line) => {
      const check = checkLines(`${line}\n`, 'late')
      expect(check.form).toBe(form)
      expect([check.kind, check.findings, check.plan.steps]).toEqual(['foreign', [], []])
      expect(JSON.stringify(check)).toContain(name)
    },
  )

  it.each([
    '{"type":"session_meta","payload":"x"}',
    '{"type":"x","instructions":null,"timestamp":"2026-01-01"}',
    '{"instructions":null}',
    '{"timestamp":"2026-01-01"}',
    '{"type":"from-tomorrow","payload":{}}',
    '{"record_type":"other"}',
    '{"type":"from-tomorrow","sessionId":7}',
    '{"sessionId":"s"}',
    '{"traceSchema":1}',
  ])('others are only without a header: %s', (line) => {
    expect(checkLines(`${line}\n`, 'late').kind).toBe('headless')
  })
})
