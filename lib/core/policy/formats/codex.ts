import type { Part } from '../includes'
import type { Reading } from '../reading'
import { nodeAt, plainValue } from '../source-tree'
import type { ClientSettingName } from './client-setting'
import type { KeyRule, PolicyFormat } from './key-rule'
import { type ClientValue, takeClientValue } from './take-client-value'

const known = (from: string): KeyRule => ({ from, to: null })

/**
 * Codex's `config.toml`. The file holds much else; only how it compacts is ours to judge
 * (lib/docs/claude-code-and-codex.md#settings-of-codex).
 */
export const CODEX_FORMAT: PolicyFormat = {
  name: 'codex',
  label: "Codex's configuration",
  sections: [],
  rules: [
    'model_auto_compact_token_limit',
    'model_auto_compact_token_limit_scope',
    'model_context_window',
    'compact_prompt',
    'experimental_compact_prompt_file',
    'tool_output_token_limit',
    'history.persistence',
  ].map(known),
}

const KEYS: readonly (readonly [string, ClientSettingName, (value: unknown) => ClientValue])[] = [
  ['model_auto_compact_token_limit', 'compactLimit', tokensOf],
  ['model_auto_compact_token_limit_scope', 'limitScope', scopeOf],
  ['model_context_window', 'modelWindow', tokensOf],
]

/** Reads what the configuration says of compaction. */
export function readCodex(reading: Reading, part: Part): void {
  if (part.at.length > 0) return
  for (const [key, name, read] of KEYS) {
    const node = nodeAt(part.root, [key])
    if (node !== null) takeClientValue(reading, part, node, key, { name }, read(plainValue(node)))
  }
  // Releases before profiles had separate files; newer ones refuse the whole file for it.
  const profile = nodeAt(part.root, ['profile'])
  if (profile !== null)
    reading.report(
      'warning',
      part.source,
      profile.start,
      'profile',
      'profiles in this file are not read here, and newer releases of Codex refuse them',
    )
}

function tokensOf(value: unknown): ClientValue {
  const isGood = typeof value === 'number' && Number.isInteger(value) && value > 0
  return isGood ? { value } : { wanted: 'a whole number of tokens above 0' }
}

function scopeOf(value: unknown): ClientValue {
  const isGood = value === 'total' || value === 'body_after_prefix'
  return isGood ? { value } : { wanted: '"total" or "body_after_prefix"' }
}
