import type { PolicyFile } from '../reading'
import type { ClientSettingName } from './client-setting'
import type { ClientValue } from './take-client-value'

/** Claude Code takes no smaller window to compact by. Tokens. */
export const LEAST_WINDOW = 100_000

/** Variables of Claude Code, in its environment or under `env` of its settings, and how their texts are read. */
export const CLAUDE_CODE_VARIABLES: readonly {
  readonly variable: string
  readonly name: ClientSettingName
  readonly read: (value: unknown) => ClientValue
}[] = [
  { variable: 'CLAUDE_CODE_AUTO_COMPACT_WINDOW', name: 'compactWindowVariable', read: windowOf },
  { variable: 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE', name: 'compactPercent', read: percentOf },
  { variable: 'CLAUDE_CODE_MAX_OUTPUT_TOKENS', name: 'maxOutput', read: countOf },
  { variable: 'CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS', name: 'idleTokens', read: countOf },
]

/** Variables that switch compaction off, whatever the settings say. */
const OFF = ['DISABLE_AUTO_COMPACT', 'DISABLE_COMPACT']

/** What the environment of a running Claude Code says, as a file of settings would. */
export function variablesAsSettings(env: Readonly<Record<string, string | undefined>>): PolicyFile {
  const said = CLAUDE_CODE_VARIABLES.flatMap(({ variable, name, read }) => {
    const found = read(env[variable])
    // What is not set is no number either.
    if ('wanted' in found) return []
    return [{ name, model: null, value: found.value, key: variable, file: 'the environment', line: 0 }]
  })
  const isOff = OFF.some((variable) => isOn(env[variable]))
  return {
    ...{
      format: 'claude-code',
      label: 'the environment',
      preset: null,
      overrides: [],
      places: {},
      problems: [],
    },
    patch: isOff ? { compaction: { mode: 'off' } } : {},
    clientSettings: said,
  }
}

/** Whether a variable is switched on. */
export function isOn(value: unknown): boolean {
  return /^(?:1|true|yes|on)$/i.test(String(value).trim())
}

/** `200000`, `200k` or `1m`; less than the least one counts as that. */
function windowOf(value: unknown): ClientValue {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(String(value).trim())
  const unit = match?.[2]?.toLowerCase() === 'm' ? 1_000_000 : match?.[2] ? 1000 : 1
  const tokens = match === null ? 0 : Math.round(Number(match[1]) * unit)
  if (!Number.isSafeInteger(tokens) || tokens < 1)
    return { wanted: 'a number of tokens such as 200000 or 200k' }
  return { value: Math.max(LEAST_WINDOW, tokens) }
}

function percentOf(value: unknown): ClientValue {
  const percent = Number.parseFloat(String(value))
  return percent > 0 && percent <= 100 ? { value: percent } : { wanted: 'a percentage above 0, up to 100' }
}

function countOf(value: unknown): ClientValue {
  const count = Number(String(value))
  return Number.isSafeInteger(count) && count > 0
    ? { value: count }
    : { wanted: 'a whole number of tokens above 0' }
}
