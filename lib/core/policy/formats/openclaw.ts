import { DURATION, type KeyRule, type PolicyFormat, SECONDS } from './key-rule'

const DEFAULTS = 'agents.defaults'
const COMPACTION = `${DEFAULTS}.compaction`
const PRUNING = `${DEFAULTS}.contextPruning`

const known = (from: string): KeyRule => ({ from, to: null })

/**
 * `openclaw.json`, both generations of its keys (openclaw.md §3.5, §4), and GoClaw's keys in the same file (seed 1).
 * The file holds much else; only the sections below are ours to judge.
 */
export const OPENCLAW_FORMAT: PolicyFormat = {
  name: 'openclaw',
  label: 'OpenClaw or GoClaw configuration',
  sections: [COMPACTION, PRUNING, 'promptCache', 'session.compaction'],
  rules: [
    { from: `${DEFAULTS}.contextTokens`, to: 'window.cap' },
    { from: `${DEFAULTS}.bootstrapMaxChars`, to: 'bootstrap.maxCharsPerFile' },
    { from: `${DEFAULTS}.bootstrapTotalMaxChars`, to: 'bootstrap.maxCharsTotal' },
    {
      from: `${COMPACTION}.enabled`,
      to: 'compaction.mode',
      read: (value) => (value === false ? 'off' : value === true ? 'safeguard' : value),
      write: (value) => value !== 'off',
    },
    { from: `${COMPACTION}.mode`, to: 'compaction.mode' },
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
    known(`${COMPACTION}.provider`),
    known(`${COMPACTION}.thinkingLevel`),
    known(`${COMPACTION}.recentTurnsPreserve`),
    known(`${COMPACTION}.qualityGuard.enabled`),
    known(`${COMPACTION}.midTurnPrecheck.enabled`),
    known(`${COMPACTION}.postIndexSync`),
    known(`${COMPACTION}.postCompactionSections`),
    known(`${COMPACTION}.memoryFlush.model`),
    known(`${COMPACTION}.memoryFlush.forceFlushTranscriptBytes`),
    known(`${COMPACTION}.memoryFlush.prompt`),
    known(`${COMPACTION}.memoryFlush.systemPrompt`),
    known(`${COMPACTION}.maxActiveTranscriptBytes`),
    known(`${COMPACTION}.customInstructions`),
    known(`${COMPACTION}.truncateAfterCompaction`),
    known(`${COMPACTION}.notifyUser`),
    {
      from: `${PRUNING}.mode`,
      to: 'pruning.cacheTtl.enabled',
      read: (value) => (value === 'cache-ttl' ? true : value === 'off' ? false : value),
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
    // GoClaw's one limit for all sessions of a channel (C3).
    { from: 'channels.*.historyTurns', to: 'history.channels.*.dmTurns' },
    { from: 'channels.*.historyTurns', to: 'history.channels.*.groupTurns' },
    { from: 'channels.*.dms.*.historyLimit', to: 'history.channels.*.users.*' },
    { from: 'session.compaction.ollama.url', to: 'summary.url' },
    { from: 'session.compaction.ollama.model', to: 'summary.model' },
    { from: 'promptCache.pollInterval', to: 'promptCache.pollSeconds' },
  ],
}
