import type { Sender } from '../../transcript/send-rules'
import type { Tokens } from '../../units/units'
import type { FindingRemedy, SettingLever } from '../finding'

/** An action of ours on the session. */
export function byAction(
  action: Extract<FindingRemedy, { by: 'action' }>['action'],
  words: string,
): FindingRemedy {
  return { by: 'action', action, words }
}

/** A rule of the user is written where the runtime reads it again. */
export function byPin(words: string): FindingRemedy {
  return { by: 'pin', words }
}

export function byAdvice(words: string): FindingRemedy {
  return { by: 'advice', words }
}

type Keys = { readonly [R in Sender]?: string }

const COMPACTION = 'agents.defaults.compaction'

/**
 * The key that moves a lever, by runtime (lib/docs/openclaw.md#compaction, lib/docs/claude-code-and-codex.md). A `*`
 * is a provider, and `[]` the entry of the model in a list.
 */
const KEYS: { readonly [L in SettingLever]: Keys } = {
  keep: { openclaw: `${COMPACTION}.keepRecentTokens`, pi: 'compaction.keepRecentTokens' },
  window: { openclaw: 'models.providers.*.models[].contextWindow', codex: 'model_context_window' },
  'line-up': {
    openclaw: `${COMPACTION}.reserveTokensFloor`,
    pi: 'compaction.reserveTokens',
    'claude-code': 'autoCompactWindow',
    codex: 'model_auto_compact_token_limit',
  },
  'line-down': {
    openclaw: `${COMPACTION}.reserveTokensFloor`,
    pi: 'compaction.reserveTokens',
    'claude-code': 'autoCompactWindow',
    codex: 'model_auto_compact_token_limit',
  },
  prune: { openclaw: 'agents.defaults.contextPruning.mode' },
  bootstrap: { openclaw: 'agents.defaults.bootstrapMaxChars' },
  heartbeat: { openclaw: 'agents.defaults.heartbeat.every' },
  retention: { 'claude-code': 'cleanupPeriodDays' },
  archive: {},
}

/**
 * The setting that a runtime has for it, if it has one.
 * @param value the value that is right everywhere; null: it depends on the host
 */
function bySetting(
  lever: SettingLever,
  runtime: Sender,
  words: string,
  value: string | number | null = null,
): FindingRemedy[] {
  const key = KEYS[lever][runtime]
  return key === undefined ? [] : [{ by: 'setting', runtime, lever, key, value, words }]
}

/** How much of a conversation stays beside the summary (lib/docs/openclaw.md#cut). */
export function keepLess(runtime: Sender): FindingRemedy[] {
  return bySetting('keep', runtime, 'Keep fewer recent tokens beside the summary.')
}

/** The window that the runtime believes in. @param window what was proved or measured, in tokens */
export function setWindow(runtime: Sender, window: Tokens, words: string): FindingRemedy[] {
  return bySetting('window', runtime, words, window)
}

/** From where on the runtime compacts. */
export function moveLine(runtime: Sender, way: 'up' | 'down', words: string): FindingRemedy[] {
  return bySetting(`line-${way}`, runtime, words)
}

/** Old tool results that are sent again and again. */
export function pruneResults(runtime: Sender): FindingRemedy[] {
  const words = 'Let the runtime clear old tool results when the cache has expired anyway.'
  return bySetting('prune', runtime, words, 'cache-ttl')
}

/** How much of a workspace file the agent sees. @param chars what takes the whole file */
export function showWholeFiles(runtime: Sender, chars: number): FindingRemedy[] {
  const words = 'Let the runtime take the whole file. Every call then sends more.'
  return bySetting('bootstrap', runtime, words, chars)
}

/** How long a runtime keeps transcripts, in days (lib/docs/claude-code-and-codex.md#claude-code). */
const KEPT_DAYS = 365

/** For how long a runtime keeps what it wrote. */
export function keepTranscripts(runtime: Sender): FindingRemedy[] {
  return bySetting('retention', runtime, 'Let the runtime keep transcripts for a year.', KEPT_DAYS)
}

/** Our own archive keeps copies of what runtimes delete: a setting of plimsoll.yaml. */
export function archiveTranscripts(runtime: Sender): FindingRemedy {
  const words = 'Switch the archive of Plimsoll on, which keeps copies of transcripts.'
  return { by: 'setting', runtime, lever: 'archive', key: 'archive.enabled', value: true, words }
}

/** How often the agent is polled. */
export function pollLess(runtime: Sender): FindingRemedy[] {
  return bySetting('heartbeat', runtime, 'Poll less often.')
}
