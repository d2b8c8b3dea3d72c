import { GOCLAW_RULES, GOCLAW_SECTIONS } from './goclaw-keys'
import {
  DURATION,
  type KeyRule,
  oneOf,
  type PolicyFormat,
  SECONDS,
  SWITCH,
  TEXT,
  type WantedType,
} from './key-rule'

const DEFAULTS = 'agents.defaults'
const COMPACTION = `${DEFAULTS}.compaction`
const PRUNING = `${DEFAULTS}.contextPruning`

const known = (from: string, wants?: WantedType): KeyRule => ({ from, to: null, ...(wants && { wants }) })

/**
 * `openclaw.json`, both generations of its keys (lib/docs/openclaw.md#summaries, #requests), and GoClaw's keys in the
 * same file. The file holds much else; only the sections below are ours to judge.
 */
export const OPENCLAW_FORMAT: PolicyFormat = {
  name: 'openclaw',
  label: 'OpenClaw or GoClaw configuration',
  sections: [COMPACTION, PRUNING, ...GOCLAW_SECTIONS],
  rules: [
    { from: `${DEFAULTS}.contextTokens`, to: 'window.cap' },
    { from: `${DEFAULTS}.bootstrapMaxChars`, to: 'bootstrap.maxCharsPerFile' },
    { from: `${DEFAULTS}.bootstrapTotalMaxChars`, to: 'bootstrap.maxCharsTotal' },
    {
      from: `${COMPACTION}.mode`,
      to: 'compaction.mode',
      takes: (value) => value === 'default' || value === 'safeguard',
      insteadOf: { from: `${COMPACTION}.enabled`, value: true },
    },
    {
      // Switched off it is off whatever its mode; switched on it has its mode.
      from: `${COMPACTION}.enabled`,
      to: 'compaction.mode',
      wants: SWITCH,
      read: (value) => (value === false ? 'off' : undefined),
      write: () => false,
      takes: (value) => value === 'off',
      insteadOf: { from: `${COMPACTION}.mode` },
    },
    { from: `${COMPACTION}.model`, to: 'summary.model' },
    { from: `${COMPACTION}.reserveTokens`, to: 'reserve.tokens' },
    { from: `${COMPACTION}.reserveTokensFloor`, to: 'reserve.floor' },
    { from: `${COMPACTION}.keepRecentTokens`, to: 'compaction.keepRecentTokens' },
    { from: `${COMPACTION}.maxHistoryShare`, to: 'history.maxShare' },
    { from: `${COMPACTION}.identifierPolicy`, to: 'compaction.identifierPolicy' },
    { from: `${COMPACTION}.qualityGuard.maxRetries`, to: 'compaction.qualityRetries' },
    { from: `${COMPACTION}.timeoutSeconds`, to: 'compaction.timeoutMs', ...SECONDS },
    { from: `${COMPACTION}.memoryFlush.enabled`, to: 'lines.flush.enabled' },
    { from: `${COMPACTION}.memoryFlush.softThresholdTokens`, to: 'flush.softThresholdTokens' },
    {
      from: `${COMPACTION}.memoryFlush.prompt`,
      to: 'flush.prompts',
      wants: TEXT,
      read: (value) => [value],
      write: (value) => (Array.isArray(value) ? (value[0] ?? '') : value),
      takes: (value) => Array.isArray(value) && value.length < 2,
    },
    { from: `${COMPACTION}.memoryFlush.systemPrompt`, to: 'flush.systemPrompt' },
    known(`${COMPACTION}.provider`, TEXT),
    known(`${COMPACTION}.thinkingLevel`, TEXT),
    known(`${COMPACTION}.recentTurnsPreserve`),
    known(`${COMPACTION}.qualityGuard.enabled`),
    known(`${COMPACTION}.midTurnPrecheck.enabled`),
    known(`${COMPACTION}.postIndexSync`, TEXT),
    known(`${COMPACTION}.postCompactionSections`),
    known(`${COMPACTION}.memoryFlush.model`, TEXT),
    known(`${COMPACTION}.memoryFlush.forceFlushTranscriptBytes`),
    known(`${COMPACTION}.maxActiveTranscriptBytes`),
    known(`${COMPACTION}.customInstructions`, TEXT),
    known(`${COMPACTION}.truncateAfterCompaction`),
    known(`${COMPACTION}.notifyUser`),
    {
      from: `${PRUNING}.mode`,
      to: 'pruning.cacheTtl.enabled',
      wants: oneOf('cache-ttl', 'off'),
      read: (value) => value === 'cache-ttl',
      write: (value) => (value === true ? 'cache-ttl' : 'off'),
    },
    { from: `${PRUNING}.ttl`, to: 'pruning.cacheTtl.ttlMs', ...DURATION },
    { from: `${PRUNING}.keepLastAssistants`, to: 'pruning.cacheTtl.keepLastAssistants' },
    { from: `${PRUNING}.softTrimRatio`, to: 'pruning.cacheTtl.softTrimRatio' },
    { from: `${PRUNING}.hardClearRatio`, to: 'pruning.cacheTtl.hardClearRatio' },
    { from: `${PRUNING}.minPrunableToolChars`, to: 'pruning.cacheTtl.minPrunableChars' },
    { from: `${PRUNING}.softTrim.maxChars`, to: 'pruning.cacheTtl.softTrimMaxChars' },
    { from: `${PRUNING}.softTrim.headChars`, to: 'pruning.cacheTtl.softTrimHeadChars' },
    { from: `${PRUNING}.softTrim.tailChars`, to: 'pruning.cacheTtl.softTrimTailChars' },
    { from: `${PRUNING}.tools.allow`, to: 'pruning.cacheTtl.allow' },
    { from: `${PRUNING}.tools.deny`, to: 'pruning.cacheTtl.deny' },
    { from: `${PRUNING}.hardClear.enabled`, to: 'pruning.cacheTtl.hardClear' },
    { from: `${PRUNING}.hardClear.placeholder`, to: 'pruning.placeholder' },
    { from: 'channels.*.dmHistoryLimit', to: 'history.channels.*.dmTurns' },
    { from: 'channels.*.historyLimit', to: 'history.channels.*.groupTurns' },
    { from: 'channels.*.dms.*.historyLimit', to: 'history.channels.*.users.*' },
    // VS7's fork has it at the top as well; without the search nothing can be recalled.
    { from: `${DEFAULTS}.memorySearch.enabled`, to: 'semantic.memorySearch' },
    { from: 'memorySearch.enabled', to: 'semantic.memorySearch' },
    ...GOCLAW_RULES,
  ],
}
