import { describe, expect, it } from 'vitest'
import { readPolicy } from '../read-policy'
import { parseSource } from '../source-tree'
import { variablesAsSettings } from './claude-code-variables'

const read = (text: string, file: string) => readPolicy(parseSource(text, file))
const claude = (settings: object) => read(JSON.stringify(settings, null, 1), '/h/.claude/settings.json')

describe('what the settings of Claude Code and Codex say of compaction', () => {
  it('Claude Code: each setting with its key and line', () => {
    const file = claude({
      autoCompactWindow: 400_000,
      modelSettings: { 'claude-sonnet-5': { autoCompactWindow: 300_000, effortLevel: 'low' } },
      idleCompaction: false,
      env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '80', CLAUDE_CODE_AUTO_COMPACT_WINDOW: '250k', OTHER: 'x' },
    })
    expect([file.format, file.problems]).toEqual(['claude-code', []])
    const said = file.clientSettings?.map(({ name, model, value, key, line }) => [
      name,
      model,
      value,
      key,
      line,
    ])
    expect(said).toEqual([
      ['compactWindow', null, 400_000, 'autoCompactWindow', 2],
      ['idle', null, false, 'idleCompaction', 9],
      ['compactWindowVariable', null, 250_000, 'env.CLAUDE_CODE_AUTO_COMPACT_WINDOW', 12],
      ['compactPercent', null, 80, 'env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE', 11],
      ['compactWindow', 'claude-sonnet-5', 300_000, 'modelSettings.claude-sonnet-5.autoCompactWindow', 5],
    ])
  })

  it.each([
    [{ autoCompactEnabled: false }, 'off'],
    [{ autoCompactEnabled: true }, 'default'],
    [{ autoCompactEnabled: true, env: { DISABLE_AUTO_COMPACT: '1' } }, 'off'],
    [{ env: { DISABLE_COMPACT: 'true' } }, 'off'],
    [{ env: { DISABLE_COMPACT: '0' } }, undefined],
  ])('Claude Code: %j switches compaction to %s', (settings, mode) => {
    expect(claude(settings).patch.compaction?.mode).toBe(mode)
  })

  it('values that the clients pass over are named with file, line and key, and the others count', () => {
    const file = claude({
      autoCompactEnabled: 'no',
      autoCompactWindow: 50_000,
      env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '800' },
      idleCompaction: true,
    })
    expect(file.clientSettings?.map(({ name }) => name)).toEqual(['idle'])
    expect(file.problems.map(({ severity, line, key }) => [severity, line, key])).toEqual([
      ['error', 2, 'autoCompactEnabled'],
      ['warning', 3, 'autoCompactWindow'],
      ['warning', 5, 'env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'],
    ])
  })

  it('Codex: limit, scope and window', () => {
    const file = read(
      'model = "gpt-5.5"\nmodel_context_window = 400000\nmodel_auto_compact_token_limit = 350_000\nmodel_auto_compact_token_limit_scope = "body"\n',
      '/h/.codex/config.toml',
    )
    expect(file.format).toBe('codex')
    expect(file.clientSettings?.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['compactLimit', 350_000, 3],
      ['modelWindow', 400_000, 2],
    ])
    expect(file.problems).toMatchObject([
      { severity: 'warning', line: 4, key: 'model_auto_compact_token_limit_scope' },
    ])
  })

  it('the environment of a running Claude Code says the same in variables', () => {
    const { patch, clientSettings } = variablesAsSettings({
      DISABLE_AUTO_COMPACT: 'true',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '90000',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: 'many',
    })
    expect(patch).toEqual({ compaction: { mode: 'off' } })
    expect(clientSettings).toMatchObject([{ name: 'compactWindowVariable', value: 100_000, line: 0 }])
  })
})
