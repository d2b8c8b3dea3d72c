import { describe, expect, it } from 'vitest'
import { runtimePolicyWith } from '../../../testing/builders/runtime-policy'
import { runtimeCompactLine, runtimeReserve } from '../../budget/runtime-lines'
import { readPolicy } from '../read-policy'
import { parseSource } from '../source-tree'
import type { RuntimeStore } from './runtime-policy'

const file = (label: string, text: string): RuntimeStore['files'][number] => ({
  label,
  file: readPolicy(parseSource(text, label)),
})
const settings = (values: object, label = 'settings.json') => file(label, JSON.stringify(values))
const claude = (
  files: RuntimeStore['files'] = [],
  { version = '2.1.330', model = 'claude-sonnet-4-6' }: { version?: string | null; model?: string } = {},
) =>
  runtimePolicyWith(
    { owner: 'claude-code', version: version === null ? null : { value: version, from: 'a session' }, files },
    { model },
  )

describe('where Claude Code compacts', () => {
  it.each([
    ['2.1.330', 167_000],
    ['2.1.38', 167_000],
    ['2.0.60', 155_000],
    ['1.0.60', 154_560],
    [null, 167_000],
  ])('release %s in a window of 200,000: %i', (version, line) => {
    expect(runtimeCompactLine(claude([], { version }), 200_000)).toBe(line)
  })

  it.each([
    [{ autoCompactWindow: 150_000 }, 117_000],
    [{ autoCompactWindow: 900_000 }, 167_000],
    [{ autoCompactWindow: 'auto' }, 167_000],
    [{ autoCompactWindow: 150_000, env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '120k' } }, 87_000],
    [{ env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' } }, 90_000],
    [{ env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '99' } }, 167_000],
    [{ env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8000' } }, 179_000],
    [{ env: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: '64000' } }, 167_000],
    [{ modelSettings: { 'claude-sonnet-4-6': { autoCompactWindow: 130_000 } } }, 97_000],
    [{ modelSettings: { 'claude-opus-4-6': { autoCompactWindow: 130_000 } } }, 167_000],
    [{ autoCompactEnabled: false }, null],
    [{ env: { DISABLE_AUTO_COMPACT: '1' } }, null],
  ])('%j: %s', (values, line) => {
    expect(runtimeCompactLine(claude([settings(values)]), 200_000)).toBe(line)
  })

  it('names of a model are the same with a date, for a million tokens and of another cloud', () => {
    const files = [settings({ modelSettings: { 'claude-sonnet-4-6': { autoCompactWindow: 400_000 } } })]
    for (const model of ['claude-sonnet-4-6[1m]', 'us.anthropic.claude-sonnet-4-6-20260101-v1:0'])
      expect(runtimeCompactLine(claude(files, { model }), 1_000_000)).toBe(367_000)
  })

  it('a stronger file counts more, and its window for all takes away those of models in weaker ones', () => {
    const user = settings({ modelSettings: { 'claude-sonnet-4-6': { autoCompactWindow: 130_000 } } })
    const managed = settings({ autoCompactWindow: 180_000 }, 'managed-settings.json')
    const judged = claude([user, managed])
    expect(runtimeCompactLine(judged, 200_000)).toBe(147_000)
    expect(judged.runtime.client?.settings).toMatchObject([
      { key: 'autoCompactWindow', file: 'managed-settings.json', line: 1 },
    ])
  })

  it('what it keeps free is the room for an answer; sessions that wait are compacted from 2.1.286 on', () => {
    expect(runtimeReserve(claude(), 200_000)).toBe(20_000)
    expect(claude().runtime.client).toMatchObject({ idle: 200_000 })
    expect(claude([], { version: '2.1.197' }).runtime.client).toMatchObject({ idle: null })
    expect(claude([settings({ idleCompaction: false })]).runtime.client).toMatchObject({ idle: null })
  })

  it('says what it assumes', () => {
    expect(claude([], { version: null }).runtime.assumed).toHaveLength(3)
    expect(claude([settings({})]).runtime.assumed).toEqual([
      '.claude/settings.json and .claude/settings.local.json of the project, options and variables of the shell are not read; they can say otherwise',
    ])
  })
})

describe('where Codex compacts', () => {
  const codex = (text: string) =>
    runtimePolicyWith({ owner: 'codex', version: null, files: [file('config.toml', text)] })

  it.each([
    ['', 244_800],
    ['model_auto_compact_token_limit = 24000', 24_000],
    ['model_auto_compact_token_limit = 900000', 244_800],
  ])('%s in a window that it records as 258,400: %i', (text, line) => {
    expect(runtimeCompactLine(codex(text), 258_400)).toBe(line)
  })

  it('a limit that counts only what follows the beginning is said to be the least', () => {
    const judged = codex(
      'model_auto_compact_token_limit = 24000\nmodel_auto_compact_token_limit_scope = "body_after_prefix"',
    )
    expect(judged.runtime.assumed.at(-1)).toContain('the line may be higher')
  })
})
