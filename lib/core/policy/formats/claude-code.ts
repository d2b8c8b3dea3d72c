import type { Part } from '../includes'
import type { Reading } from '../reading'
import { nodeAt, plainValue } from '../source-tree'
import { CLAUDE_CODE_VARIABLES, isOn, LEAST_WINDOW } from './claude-code-variables'
import type { ClientSettingName } from './client-setting'
import type { KeyRule, PolicyFormat } from './key-rule'
import { type ClientValue, takeClientValue } from './take-client-value'

const known = (from: string): KeyRule => ({ from, to: null })

/** A variable that switches compaction off, whatever the settings say. */
const switchOff = (name: string): KeyRule => ({
  from: `env.${name}`,
  to: 'compaction.mode',
  read: (value) => (isOn(value) ? 'off' : undefined),
  readOnly: true,
})

/**
 * Claude Code's `settings.json`. The file holds much else; only how it compacts is ours to judge
 * (lib/docs/claude-code-and-codex.md#settings-of-claude-code).
 */
export const CLAUDE_CODE_FORMAT: PolicyFormat = {
  name: 'claude-code',
  label: "Claude Code's settings",
  sections: [],
  rules: [
    {
      from: 'autoCompactEnabled',
      to: 'compaction.mode',
      read: (value) => (value === false ? 'off' : value === true ? 'default' : value),
      write: (value) => value !== 'off',
      takes: (value) => value === 'default' || value === 'off',
    },
    switchOff('DISABLE_AUTO_COMPACT'),
    switchOff('DISABLE_COMPACT'),
    known('autoCompactWindow'),
    known('modelSettings.*.autoCompactWindow'),
    known('idleCompaction'),
    known('cleanupPeriodDays'),
    known('env.CLAUDE_CODE_AUTO_COMPACT_WINDOW'),
    known('env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'),
    known('env.CLAUDE_CODE_MAX_OUTPUT_TOKENS'),
    known('env.CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS'),
  ],
}

/** Reads what the settings say of compaction beyond what a policy has knobs for. */
export function readClaudeCode(reading: Reading, part: Part): void {
  if (part.at.length > 0) return
  const take = (keys: readonly string[], name: ClientSettingName, read: (value: unknown) => ClientValue) => {
    const node = nodeAt(part.root, keys)
    if (node !== null) takeClientValue(reading, part, node, keys.join('.'), { name }, read(plainValue(node)))
  }
  take(['autoCompactWindow'], 'compactWindow', windowOf)
  take(['idleCompaction'], 'idle', switchOf)
  for (const { variable, name, read } of CLAUDE_CODE_VARIABLES) take(['env', variable], name, read)
  const models = nodeAt(part.root, ['modelSettings'])
  for (const { key: model, value } of models?.kind === 'map' ? models.entries : []) {
    const node = nodeAt(value, ['autoCompactWindow'])
    if (node === null) continue
    const key = `modelSettings.${model}.autoCompactWindow`
    takeClientValue(reading, part, node, key, { name: 'compactWindow', model }, windowOf(plainValue(node)))
  }
}

function windowOf(value: unknown): ClientValue {
  if (value === 'auto') return { value }
  const isGood = typeof value === 'number' && Number.isInteger(value) && value >= LEAST_WINDOW
  return isGood ? { value } : { wanted: `"auto" or a whole number of tokens from ${LEAST_WINDOW} on` }
}

function switchOf(value: unknown): ClientValue {
  return typeof value === 'boolean' ? { value } : { wanted: 'true or false' }
}
