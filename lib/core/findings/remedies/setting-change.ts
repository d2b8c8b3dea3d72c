import { runtimeCompactLine } from '../../budget/runtime-lines'
import { DEFAULT_POLICY } from '../../policy/default-policy'
import { LEAST_WINDOW } from '../../policy/formats/claude-code-variables'
import type { ClaudeCodeCompaction } from '../../policy/runtime/claude-code-rules'
import type { RuntimePolicy, RuntimeStore } from '../../policy/runtime/runtime-policy'
import type { Tokens } from '../../units/units'
import { groupedDigits } from '../../words/amounts'
import type { FindingRemedy, SessionFinding, SettingLever } from '../finding'
import { effectUnknown } from './known-effect'

export type SettingRemedy = Extract<FindingRemedy, { by: 'setting' }>

/** What a value is worked out from: our own measures, never a text of a store. */
export type SettingFacts = {
  readonly store: RuntimeStore
  /** What the runtime does now in the session of the finding. */
  readonly policy: RuntimePolicy
  /** The window of that session's model, in tokens; null: not known. */
  readonly window: Tokens | null
  readonly provider: string | null
  readonly model: string | null
}

/** A value to set, and how it came about; or why none is. `keys` null: the key of the remedy. */
type SettingValue =
  | {
      readonly can: true
      readonly keys: SettingKeys
      readonly value: string | number | boolean
      readonly why: string
    }
  | { readonly can: false; readonly why: string }

/** Where in a settings file: keys from the top, or the entry of a model below a provider of OpenClaw's. */
export type SettingKeys =
  | { readonly at: 'path'; readonly path: readonly string[] }
  | { readonly at: 'model'; readonly provider: string; readonly model: string; readonly key: string }

/** A line is moved down by so much of itself where nothing tells how far. */
const STEP_DOWN = 0.1
/** No more than this share of the line is meant to be in use after a compaction, so that there is room to work. */
const AFTER_SHARE = 0.6
/** Less than this beside a summary loses the message that is being worked on. Tokens. */
const LEAST_KEPT: Tokens = 2_000
/** Values that a reader sees are round. Tokens. */
const ROUND: Tokens = 500
/** pi's own reserve, and OpenClaw's floor, where no setting says another (lib/docs/openclaw.md#compaction). Tokens. */
const PI_RESERVE: Tokens = 16_384
const OPENCLAW_FLOOR: Tokens = 20_000
/** Below the room for the prompt, in Claude Code (lib/docs/claude-code-and-codex.md#line-of-claude-code). Tokens. */
const CLAUDE_CODE_BUFFER: Tokens = 13_000
/** Codex records 95 % of a window, and compacts at 90 % of the whole (lib/docs/claude-code-and-codex.md#line-of-codex). */
const CODEX_SHOWN = 0.95
const CODEX_LINE = 0.9

/** The value that a setting should have for a finding, worked out from what was measured. */
export function settingValue(
  remedy: SettingRemedy,
  finding: Pick<SessionFinding, 'evidence'>,
  facts: SettingFacts,
): SettingValue {
  if (isOfTranscripts(remedy.lever)) return keptValue(remedy)
  if (facts.store.owner === 'library') return libraryValue(remedy, finding, facts)
  const unknown = effectUnknown(remedy.lever, facts.store, facts.policy)
  if (unknown !== null) return no(unknown)
  switch (remedy.lever) {
    case 'keep':
      return keptTokens(remedy, finding, facts)
    case 'window':
      return windowValue(remedy, facts)
    case 'line-down':
      return lowerLine(remedy, facts)
    case 'line-up':
      return higherLine(remedy, facts)
    case 'heartbeat':
      return no('How often the agent is to be polled is yours to say: no measure tells it.')
    case 'prune':
    case 'bootstrap':
    case 'retention':
    case 'archive':
      return remedy.value === null
        ? no('No measure tells the value.')
        : yes(remedy, remedy.value, remedy.words)
  }
}

/** A lever that decides whether transcripts stay, and nothing that a call would show. */
export function isOfTranscripts(lever: SettingLever | null): boolean {
  return lever === 'archive' || lever === 'retention'
}

/** What findings of deletion rest on already: the releases of a runtime do not differ in it. */
function keptValue(remedy: SettingRemedy): SettingValue {
  if (remedy.lever === 'archive')
    return yes(
      remedy,
      true,
      'Plimsoll copies transcripts as it reads them, so that they stay readable when the runtime deletes them.',
    )
  return typeof remedy.value === 'number'
    ? yes(
        remedy,
        remedy.value,
        `Claude Code deletes a transcript ${groupedDigits(remedy.value)} days after its last write then.`,
      )
    : no('No measure tells the value.')
}

/** Where our own settings file keeps what the library goes by in an agent that embeds it. */
const LIBRARY_KEYS = {
  keep: 'policy.compaction.keepRecentTokens',
  line: 'policy.lines.compact.at',
  isOn: 'policy.lines.compact.enabled',
  prune: 'policy.pruning.cacheTtl.enabled',
} as const

/** The same lever in the policy of the library. */
function libraryValue(
  remedy: SettingRemedy,
  finding: Pick<SessionFinding, 'evidence'>,
  facts: SettingFacts,
): SettingValue {
  const { pruning } = facts.policy.policy
  switch (remedy.lever) {
    case 'keep':
      return keptTokens({ ...remedy, key: LIBRARY_KEYS.keep }, finding, facts)
    case 'line-down':
    case 'line-up':
      return libraryLine(remedy, facts)
    case 'prune':
      return pruning.cacheTtl.enabled
        ? no('The library clears old tool results already when the cache has expired.')
        : yes({ ...remedy, key: LIBRARY_KEYS.prune }, true, 'It clears old tool results then.')
    default:
      return no('No knob of the policy of the library decides it; the agent that embeds it does.')
  }
}

/** Up to where the library has its line without a setting: a higher one is not known to be safe. */
function libraryLine(remedy: SettingRemedy, { policy }: SettingFacts): SettingValue {
  const { at, enabled } = policy.policy.lines.compact
  const percent = (share: number) => `${Math.round(share * 100)} %`
  if (!enabled)
    return yes(
      { ...remedy, key: LIBRARY_KEYS.isOn },
      true,
      `It compacts at ${percent(at)} of its budget then.`,
    )
  const usual = DEFAULT_POLICY.lines.compact.at
  const wanted = remedy.lever === 'line-up' ? usual : Math.floor(at * (1 - STEP_DOWN) * 100) / 100
  if (remedy.lever === 'line-up' && usual <= at)
    return no(`The line at ${percent(at)} of the budget is as high as the library has it without a setting.`)
  const why = `It compacts at ${percent(wanted)} of its budget then, not at ${percent(at)}.`
  return yes({ ...remedy, key: LIBRARY_KEYS.line }, wanted, why)
}

function keptTokens(
  remedy: SettingRemedy,
  { evidence }: Pick<SessionFinding, 'evidence'>,
  facts: SettingFacts,
): SettingValue {
  const now = facts.policy.policy.compaction.keepRecentTokens
  const { after } = evidence
  const line = lineOf(facts)
  // What is too much after a compaction is taken from what is kept; where that is little or unknown, half of it goes.
  const half = now / 2
  const wanted = after === null || line === null ? half : now - (after - line * AFTER_SHARE)
  const value = Math.max(LEAST_KEPT, round(Math.min(half, wanted)))
  if (value >= now)
    return no(`No more than ${tokens(now)} are kept already; less would cut into the message in work.`)
  const reason =
    after === null || line === null || wanted >= half
      ? 'half of what is kept now'
      : `${tokens(after)} were left after a compaction, and at most ${Math.round(AFTER_SHARE * 100)} % of the line at ${tokens(line)} are meant to be`
  return yes(remedy, value, `${tokens(value)} instead of ${tokens(now)}: ${reason}.`)
}

function windowValue(remedy: SettingRemedy, { provider, model }: SettingFacts): SettingValue {
  if (typeof remedy.value !== 'number') return no('The window of the model is not known.')
  const why = `${tokens(remedy.value)} were measured at its provider.`
  if (remedy.runtime !== 'openclaw') return yes(remedy, remedy.value, why)
  if (provider === null || model === null) return no('The session does not name its provider and model.')
  return { can: true, keys: { at: 'model', provider, model, key: 'contextWindow' }, value: remedy.value, why }
}

function lowerLine(remedy: SettingRemedy, facts: SettingFacts): SettingValue {
  const off = switchOn(facts)
  if (off !== null) return off
  const { window } = facts
  const line = lineOf(facts)
  if (window === null || line === null)
    return no('Where the runtime compacts is not known, since the window of the model is not.')
  const aim = round(line * (1 - STEP_DOWN))
  const why = `It compacts at ${tokens(aim)} then, a tenth below its line at ${tokens(line)}.`
  return lineValue(remedy, aim, why, facts, window)
}

/** To where the runtime has its line without a setting: a higher one is not known to be safe. */
function higherLine(remedy: SettingRemedy, facts: SettingFacts): SettingValue {
  const { policy, window } = facts
  const line = lineOf(facts)
  if (window === null || line === null)
    return no('Where the runtime compacts is not known, since the window of the model is not.')
  const { client } = policy.runtime
  const highest = no(`The line at ${tokens(line)} is as high as the runtime has it without a setting.`)
  if (client?.kind === 'claude-code')
    return client.window === null || client.window >= window
      ? highest
      : claudeCodeWindow(
          remedy,
          client,
          'auto',
          `It compacts by the whole window of ${tokens(window)} then, not by ${tokens(client.window)}.`,
        )
  const most = mostLine(facts, window)
  if (most === null || most <= line) return highest
  return lineValue(
    remedy,
    most,
    `It compacts at ${tokens(most)} then, not at ${tokens(line)}.`,
    facts,
    window,
  )
}

/** The value with which the line is at so many tokens. */
function lineValue(
  remedy: SettingRemedy,
  aim: Tokens,
  why: string,
  { policy }: SettingFacts,
  window: Tokens,
): SettingValue {
  const { runtime } = policy
  switch (runtime.client?.kind) {
    case 'codex':
      return yes(remedy, aim, why)
    case 'claude-code': {
      const by = aim + runtime.client.output + CLAUDE_CODE_BUFFER
      if (by < LEAST_WINDOW)
        return no(
          `Claude Code takes no window to compact by below ${tokens(LEAST_WINDOW)}; this needs ${tokens(by)}.`,
        )
      return claudeCodeWindow(remedy, runtime.client, by, why)
    }
    default: {
      const flush = runtime.rules === '2026.7' ? policy.policy.flush.softThresholdTokens : 0
      return yes(remedy, window - aim - flush, why)
    }
  }
}

function claudeCodeWindow(
  remedy: SettingRemedy,
  { settings }: ClaudeCodeCompaction,
  value: number | 'auto',
  why: string,
): SettingValue {
  const said = settings.find(({ name }) => name === 'compactWindowVariable' || name === 'compactWindow')
  if (said?.name === 'compactWindowVariable')
    return no(`${said.key} in ${said.file} counts more than this setting; change it there.`)
  // The window of the model counts more than that of all.
  return said === undefined ? yes(remedy, value, why) : { can: true, keys: pathOf(said), value, why }
}

function pathOf({ key, model }: ClaudeCodeCompaction['settings'][number]): SettingKeys {
  return model === null
    ? { at: 'path', path: key.split('.') }
    : { at: 'path', path: ['modelSettings', model, 'autoCompactWindow'] }
}

function mostLine({ policy }: SettingFacts, window: Tokens): Tokens | null {
  const { runtime } = policy
  if (runtime.client?.kind === 'codex') return Math.floor((window / CODEX_SHOWN) * CODEX_LINE)
  if (runtime.rules === 'pi') return window - PI_RESERVE
  if (runtime.rules === '2026.2') return window - OPENCLAW_FLOOR
  if (runtime.rules === '2026.7') return window - OPENCLAW_FLOOR - policy.policy.flush.softThresholdTokens
  return null
}

/** Keys that switch compaction on again. Codex has none. */
const SWITCHES: {
  readonly [owner: string]: { readonly path: readonly string[]; readonly value: string | boolean }
} = {
  openclaw: { path: ['agents', 'defaults', 'compaction', 'enabled'], value: true },
  pi: { path: ['compaction', 'enabled'], value: true },
  'claude-code': { path: ['autoCompactEnabled'], value: true },
}

/** Where compaction is off no line helps. null: it is on. */
function switchOn({ policy: { policy, origin }, store }: SettingFacts): SettingValue | null {
  if (policy.compaction.mode !== 'off') return null
  const from = origin['compaction.mode']
  const place = store.files.map(({ file }) => file.places['compaction.mode']).find((one) => one !== undefined)
  const found = SWITCHES[store.owner]
  if (
    found === undefined ||
    place === undefined ||
    place.key.toLowerCase() !== found.path.join('.').toLowerCase()
  )
    return no(
      `Compaction is switched off (${from?.label ?? 'by a setting'}${place === undefined ? '' : `, ${place.key}`}); switch it on there.`,
    )
  return {
    can: true,
    keys: { at: 'path', path: found.path },
    value: found.value,
    why: 'Compaction is switched off; the runtime compacts again then.',
  }
}

function lineOf({ policy, window }: SettingFacts): Tokens | null {
  return window === null ? null : runtimeCompactLine(policy, window)
}

function yes({ key }: SettingRemedy, value: string | number | boolean, why: string): SettingValue {
  return { can: true, keys: { at: 'path', path: key.split('.') }, value, why }
}

function no(why: string): SettingValue {
  return { can: false, why }
}

function round(value: Tokens): Tokens {
  return Math.floor(value / ROUND) * ROUND
}

function tokens(count: Tokens): string {
  return `${groupedDigits(count)} tokens`
}
