import { type KeyRule, SECONDS } from './key-rule'

const COMPACTION = 'session.compaction'
const CHECKPOINT = 'session.checkpoint'
const FLUSH = 'session.memoryFlush'

/** Parts of GoClaw's file that are ours to know completely. */
export const GOCLAW_SECTIONS = [COMPACTION, CHECKPOINT, FLUSH, 'session.summarization', 'promptCache']

/** Minutes in the file, milliseconds in the policy. */
const MINUTES: Pick<KeyRule, 'read' | 'write'> = {
  read: (value) => (typeof value === 'number' ? value * 60_000 : value),
  write: (value) => (typeof value === 'number' ? value / 60_000 : value),
}

/** Percent in the file, shares in the policy; one or a list of them. */
const PERCENT: Pick<KeyRule, 'read' | 'write'> = {
  read: (value) => each(value, (one) => one / 100),
  write: (value) => each(value, (one) => Math.round(one * 1e6) / 1e4),
}

function each(value: unknown, change: (one: number) => number): unknown {
  if (Array.isArray(value)) return value.map((one) => each(one, change))
  return typeof value === 'number' ? change(value) : value
}

const OLLAMA = 'ollama/'

/** A model of Ollama, whatever its name: the policy says the provider as well. */
const OLLAMA_MODEL: Pick<KeyRule, 'read' | 'write' | 'takes'> = {
  read: (value) =>
    typeof value !== 'string' || value === '' || value.startsWith(OLLAMA) ? value : `${OLLAMA}${value}`,
  write: (value) => (typeof value === 'string' ? value.replace(/^ollama\//, '') : value),
  takes: (value) => typeof value === 'string' && (value === '' || value.startsWith(OLLAMA)),
}

/**
 * One value of each flush threshold, lowest threshold first: the policy keeps lines, deliveries and prompts as lists of
 * one order. The file's list of objects is not written.
 */
function perThreshold(
  key: string,
  missing: unknown,
  of: (value: unknown) => unknown = (v) => v,
): KeyRule['read'] {
  return (value) => {
    if (!Array.isArray(value)) return value
    const thresholds = value.map((one: unknown) => (typeof one === 'object' && one !== null ? one : {}))
    const at = (one: object) => Number(Reflect.get(one, 'percent'))
    return thresholds.toSorted((a, b) => at(a) - at(b)).map((one) => of(Reflect.get(one, key) ?? missing))
  }
}

/** GoClaw's keys (github.com/roelfdiedericks/goclaw, internal/config), which share files with OpenClaw's. */
export const GOCLAW_RULES: readonly KeyRule[] = [
  // Its one limit for all sessions of a channel.
  { from: 'channels.*.historyTurns', to: 'history.channels.*.dmTurns' },
  { from: 'channels.*.historyTurns', to: 'history.channels.*.groupTurns' },
  { from: `${COMPACTION}.reserveTokens`, to: 'reserve.tokens' },
  { from: `${COMPACTION}.retryIntervalSeconds`, to: 'summary.retryMs', ...SECONDS },
  { from: `${COMPACTION}.ollamaFailureThreshold`, to: 'summary.failureThreshold' },
  { from: `${COMPACTION}.ollamaResetMinutes`, to: 'summary.resetMs', ...MINUTES },
  { from: `${COMPACTION}.ollama.url`, to: 'summary.url' },
  { from: `${COMPACTION}.ollama.model`, to: 'summary.model', ...OLLAMA_MODEL },
  { from: `${COMPACTION}.ollama.timeoutSeconds`, to: 'compaction.timeoutMs', ...SECONDS },
  { from: `${COMPACTION}.ollama.contextTokens`, to: null },
  { from: `${COMPACTION}.preferCheckpoint`, to: null },
  { from: `${CHECKPOINT}.enabled`, to: 'lines.checkpoints.enabled' },
  { from: `${CHECKPOINT}.tokenThresholdPercents`, to: 'lines.checkpoints.at', ...PERCENT },
  { from: `${CHECKPOINT}.turnThreshold`, to: 'summary.checkpoint.everyTurns' },
  { from: `${CHECKPOINT}.minTokensForGen`, to: 'summary.checkpoint.minTokens' },
  { from: `${CHECKPOINT}.fallbackToMain`, to: 'summary.fallbackToMain' },
  { from: `${CHECKPOINT}.model`, to: null },
  { from: `${FLUSH}.enabled`, to: 'lines.flush.enabled' },
  { from: `${FLUSH}.showInSystemPrompt`, to: null },
  {
    from: `${FLUSH}.thresholds`,
    to: 'lines.flush.at',
    read: perThreshold('percent', undefined, (value) => (typeof value === 'number' ? value / 100 : value)),
    readOnly: true,
  },
  {
    from: `${FLUSH}.thresholds`,
    to: 'flush.delivery',
    read: perThreshold('injectAs', 'system'),
    readOnly: true,
  },
  { from: `${FLUSH}.thresholds`, to: 'flush.prompts', read: perThreshold('prompt', ''), readOnly: true },
  { from: 'promptCache.pollInterval', to: 'promptCache.pollSeconds' },
]
