import { describe, expect, it } from 'vitest'
import { planEdits } from '../policy-edits'
import { readPolicy } from '../read-policy'
import type { PolicyFile } from '../reading'
import { parseSource } from '../source-tree'
import { CLAUDE_CODE_VARIABLES, variablesAsSettings } from './claude-code-variables'

const read = (text: string, file: string) => readPolicy(parseSource(text, file))
const claude = (settings: object) => read(JSON.stringify(settings, null, 1), '/h/.claude/settings.json')

const PASSED_OVER = 'passed over'

/** The one value that a file says; null where it says nothing. */
const saidBy = ({ clientSettings: said, problems: [problem] }: PolicyFile) =>
  said?.[0]?.value ?? (problem?.severity === 'warning' ? PASSED_OVER : null)

const variable = (end: string) =>
  CLAUDE_CODE_VARIABLES.find(({ variable }) => variable.endsWith(end))?.variable ?? ''

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
    [{ env: { DISABLE_COMPACT: ' YES ' } }, 'off'],
    [{ env: { DISABLE_COMPACT: true } }, 'off'],
    [{ env: { DISABLE_COMPACT: 'on' } }, 'off'],
    [{ env: { DISABLE_COMPACT: '0' } }, undefined],
    [{ env: { DISABLE_COMPACT: '11' } }, undefined],
    [{ env: { DISABLE_COMPACT: 'once' } }, undefined],
    [{ env: { DISABLE_COMPACT: 'not on' } }, undefined],
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

  it.each([
    [{ autoCompactWindow: 100_000 }, 100_000],
    [{ autoCompactWindow: 'auto' }, 'auto'],
    [{ autoCompactWindow: '' }, PASSED_OVER],
    [{ autoCompactWindow: '200000' }, PASSED_OVER],
    [{ autoCompactWindow: 200_000.5 }, PASSED_OVER],
    [{ autoCompactWindow: 99_999 }, PASSED_OVER],
    [{ idleCompaction: 'yes' }, PASSED_OVER],
    [{ autoCompactEnabled: true, modelSettings: { m: { effortLevel: 'low' } } }, null],
  ])('Claude Code: %j says %j', (settings, said) => {
    expect(saidBy(claude(settings))).toEqual(said)
  })

  it.each<[string, string, unknown]>([
    ['COMPACT_WINDOW', '200000', 200_000],
    ['COMPACT_WINDOW', ' 150K ', 150_000],
    ['COMPACT_WINDOW', '1.25m', 1_250_000],
    ['COMPACT_WINDOW', '1M', 1_000_000],
    ['COMPACT_WINDOW', '1', 100_000],
    ['PCT_OVERRIDE', '100', 100],
    ['PCT_OVERRIDE', '0.5', 0.5],
    ['MAX_OUTPUT_TOKENS', ' 1 ', 1],
  ])('Claude Code: the variable …%s as %j says %j', (name, text, said) => {
    expect(saidBy(claude({ env: { [variable(name)]: text } }))).toEqual(said)
  })

  it.each([
    ['COMPACT_WINDOW', ['0', '0.4', '1.k', 'x200k', '200kb', '-200000', '', '9'.repeat(20)]],
    ['PCT_OVERRIDE', ['0', '-5', '100.1', 'most']],
    ['MAX_OUTPUT_TOKENS', ['0', '-5', '1.5', '', 'many']],
  ])('Claude Code: the variable …%s passes over each of %j', (name, texts) => {
    for (const text of texts)
      expect(saidBy(claude({ env: { [variable(name)]: text } })), text).toBe(PASSED_OVER)
  })

  it('Claude Code: compaction is switched by its key, and knows no other mode', () => {
    const file = claude({ autoCompactEnabled: true })
    const edits = (value: string) => planEdits(file, { 'compaction.mode': value }).edits
    expect(edits('off')).toEqual([{ path: ['autoCompactEnabled'], value: false }])
    expect(edits('default')).toEqual([{ path: ['autoCompactEnabled'], value: true }])
    expect(edits('safeguard')).toEqual([])
  })

  it('files that are included elsewhere say nothing, and those in the place of the file say all', () => {
    const said = (text: string, included: string, file: string) =>
      readPolicy(parseSource(text, file), (path) => parseSource(included, path)).clientSettings?.map(
        ({ value }) => value,
      )
    const settings = '{ autoCompactWindow: 200000 }'
    const on = 'autoCompactEnabled: true'
    expect(said(`{ ${on}, x: { $include: "a.json" } }`, settings, 'settings.json')).toBeUndefined()
    expect(said(`{ ${on}, $include: "a.json" }`, settings, 'settings.json')).toEqual([200_000])
    const config = 'model_context_window = 9'
    const codex = 'compact_prompt = "x"\n'
    expect(said(`${codex}[x]\n"$include" = "a.toml"`, config, 'config.toml')).toBeUndefined()
    expect(said(`${codex}"$include" = "a.toml"`, config, 'config.toml')).toEqual([9])
  })

  it.each([
    ['model_context_window = 1', 1],
    ['model_context_window = 0', PASSED_OVER],
    ['model_context_window = -5', PASSED_OVER],
    ['model_context_window = 1.5', PASSED_OVER],
    ['model_context_window = "9"', PASSED_OVER],
    ['model_auto_compact_token_limit_scope = "total"', 'total'],
    ['model_auto_compact_token_limit_scope = ""', PASSED_OVER],
    ['compact_prompt = "x"', null],
  ])('Codex: %s says %j', (text, said) => {
    expect(saidBy(read(text, 'config.toml'))).toEqual(said)
  })

  it('Codex: a profile in the file is a warning, and the rest of it counts', () => {
    const file = read('model_context_window = 9\nprofile = "fast"\n', 'config.toml')
    expect(file.problems).toMatchObject([{ severity: 'warning', line: 2, key: 'profile' }])
    expect(saidBy({ ...file, problems: [] })).toBe(9)
  })

  it('the environment of a running Claude Code says the same in variables', () => {
    const file = variablesAsSettings({
      DISABLE_AUTO_COMPACT: 'true',
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: '90000',
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: 'many',
    })
    const place = { key: 'CLAUDE_CODE_AUTO_COMPACT_WINDOW', file: 'the environment', line: 0 }
    expect(file).toEqual({
      ...{ format: 'claude-code', label: 'the environment', preset: null, overrides: [], places: {} },
      problems: [],
      patch: { compaction: { mode: 'off' } },
      clientSettings: [{ name: 'compactWindowVariable', model: null, value: 100_000, ...place }],
    })
  })
})
