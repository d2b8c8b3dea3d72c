import type { Tokens } from '../../units/units'
import type { ClientSetting, ClientSettingName } from '../formats/client-setting'

/**
 * How releases of Claude Code find their line (lib/docs/claude-code-and-codex.md#line-of-claude-code). `share`: 92 % of
 * what an answer leaves of the window; `buffer`: 13,000 below that; `capped`: the answer counts as 20,000 at most.
 */
type ClaudeCodeRules = 'share' | 'buffer' | 'capped'

/** What governs the compaction of a session of Claude Code. */
export type ClaudeCodeCompaction = {
  readonly kind: 'claude-code'
  readonly rules: ClaudeCodeRules
  /** The window that it compacts by; null: the model's. A larger one than the model's counts as that. */
  readonly window: Tokens | null
  /** Percent of the room for the prompt; null: none is set. It only lowers the line. */
  readonly percent: number | null
  /** What is kept free for the answer, once it is known how large one may be. */
  readonly output: Tokens
  /** It also compacts a session that waits, from so many tokens on; null: not. */
  readonly idle: Tokens | null
  /** The settings that say so, and where. */
  readonly settings: readonly ClientSetting[]
}

/** Below the room for the prompt. Tokens. */
const BUFFER: Tokens = 13_000
const SHARE = 0.92
/** No more than this is kept free for an answer, since `capped`. Tokens. */
const MOST_OUTPUT: Tokens = 20_000
/** What an answer may have where nothing says so, in older releases. Tokens. */
const OLD_OUTPUT: Tokens = 32_000
const SMALL_OUTPUT: Tokens = 8_192

const IDLE_TOKENS: Tokens = 200_000
const LEAST_IDLE_TOKENS: Tokens = 100_000

/** First releases whose files were found to have a rule; that of the releases between two is not known. */
const SINCE: readonly (readonly [version: readonly [number, number, number], rules: ClaudeCodeRules])[] = [
  [[2, 1, 38], 'capped'],
  [[1, 0, 90], 'buffer'],
  [[0, 0, 0], 'share'],
]
const IDLE_SINCE = [2, 1, 286] as const

/** The newest release that was looked at. */
export const NEWEST_CLAUDE_CODE = '2.1.330'

/** Whether a text names a release: transcripts say it, and may say anything. */
export function isClaudeCodeRelease(version: string | null): version is string {
  return /^\d+\.\d/.test(String(version))
}

/**
 * What settings, weakest first, and a release make of the compaction.
 * @param version null, or what is none: the newest is taken
 */
export function claudeCodeCompaction(
  said: readonly (readonly ClientSetting[])[],
  version: string | null,
  model: string | null,
): ClaudeCodeCompaction {
  const parts = partsOf(isClaudeCodeRelease(version) ? version : NEWEST_CLAUDE_CODE)
  const rules = SINCE.find(([since]) => isFrom(parts, since))?.[1] ?? 'capped'
  const last = (name: ClientSettingName) => said.flat().findLast((one) => one.name === name)
  // Before 2.1.38 the window to compact by could not be set.
  const window =
    rules === 'capped' ? (last('compactWindowVariable') ?? windowSetting(said, model)) : undefined
  const percent = rules === 'share' ? undefined : last('compactPercent')
  const output = last('maxOutput')
  const knowsIdle = isFrom(parts, IDLE_SINCE)
  const idleSwitch = knowsIdle ? last('idle') : undefined
  const compactsIdle = knowsIdle && idleSwitch?.value !== false
  // Where it is off, its size decides nothing.
  const idleTokens = compactsIdle ? last('idleTokens') : undefined
  return {
    kind: 'claude-code',
    rules,
    window: typeof window?.value === 'number' ? window.value : null,
    percent: typeof percent?.value === 'number' ? percent.value : null,
    output: outputOf(rules, model, typeof output?.value === 'number' ? output.value : null),
    idle: compactsIdle ? Math.max(LEAST_IDLE_TOKENS, Number(idleTokens?.value ?? IDLE_TOKENS)) : null,
    settings: [window, percent, output, idleSwitch, idleTokens].filter((one) => one !== undefined),
  }
}

/** Where it compacts in a window. Tokens; 0 or less: it always would. */
export function claudeCodeLine(
  { rules, window, percent, output }: ClaudeCodeCompaction,
  model: Tokens,
): Tokens {
  const room = Math.min(model, window ?? model) - output
  if (rules === 'share') return Math.floor(room * SHARE)
  const line = room - BUFFER
  return percent === null ? line : Math.min(Math.floor(room * (percent / 100)), line)
}

/**
 * A window in the settings for the model. In one file that of the model counts more than that for all; a file that says
 * one for all takes those of the models away that weaker files say.
 */
function windowSetting(
  said: readonly (readonly ClientSetting[])[],
  model: string | null,
): ClientSetting | undefined {
  let forAll: ClientSetting | undefined
  let forModel: ClientSetting | undefined
  for (const file of said) {
    const windows = file.filter(({ name }) => name === 'compactWindow')
    const all = windows.findLast((one) => one.model === null)
    const own = windows.findLast((one) => one.model !== null && isSameModel(one.model, model))
    if (all !== undefined) [forAll, forModel] = [all, own]
    else forModel = own ?? forModel
  }
  return forModel ?? forAll
}

/** Names of one model: with a date, with `[1m]`, and as other clouds write it. */
function isSameModel(key: string, model: string | null): boolean {
  return model !== null && canonical(key) === canonical(model)
}

function canonical(model: string): string {
  return model
    .toLowerCase()
    .replace(/\[1m\]$/, '')
    .replace(/^(?:[a-z-]+\.)?anthropic\./, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/[-@]\d{8}$/, '')
}

function outputOf(rules: ClaudeCodeRules, model: string | null, set: number | null): Tokens {
  const isSmall = model !== null && /3-5|claude-3-|haiku-3/.test(model)
  const most = isSmall ? SMALL_OUTPUT : OLD_OUTPUT
  if (rules !== 'capped') return Math.min(set ?? most, most)
  return Math.min(set ?? most, MOST_OUTPUT)
}

type Parts = readonly number[]

function partsOf(version: string): Parts {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0)
}

function isFrom(version: Parts, since: Parts): boolean {
  for (const [i, least] of since.entries()) {
    const part = version[i] ?? 0
    if (part !== least) return part > least
  }
  return true
}
