import { describe, expect, it } from 'vitest'
import { checkLines } from '../../testing/repair/check-lines'

describe('files of other programs', () => {
  it.each([
    ['Codex', '{"type":"session_meta","payload":{}}'],
    ['Codex', '{"instructions":null,"timestamp":"2026-01-01"}'],
    ['Codex', '{"record_type":"state"}'],
    ['Claude Code', '{"parentUuid":null,"type":"user"}'],
    ['Claude Code', '{"leafUuid":"x","type":"other"}'],
    ['Claude Code', '{"type":"file-history-snapshot"}'],
    ['Claude Code', '{"type":"summary"}'],
    ['OpenClaw’s run traces', '{"traceSchema":"1"}'],
  ])('%s is recognised by its first entry: %s', (name, line) => {
    const check = checkLines(`${line}\n`, 'late')
    expect([check.kind, check.findings, check.plan.steps]).toEqual(['foreign', [], []])
    expect(JSON.stringify(check)).toContain(name)
  })

  it.each([
    '{"type":"session_meta","payload":"x"}',
    '{"type":"x","instructions":null,"timestamp":"2026-01-01"}',
    '{"instructions":null}',
    '{"timestamp":"2026-01-01"}',
    '{"record_type":"other"}',
    '{"traceSchema":1}',
  ])('others are only without a header: %s', (line) => {
    expect(checkLines(`${line}\n`, 'late').kind).toBe('headless')
  })
})
