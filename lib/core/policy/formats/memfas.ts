import type { PolicyFormat } from './key-rule'

/** `context-config.yaml` of memfas: flat keys, in upper or in lower case. */
export const MEMFAS_FORMAT: PolicyFormat = {
  name: 'memfas',
  label: 'memfas context configuration',
  sections: [''],
  ignoreCase: true,
  rules: [
    {
      from: 'COMPACTION_TRIGGER_PCT',
      to: 'lines.compact.at',
      also: { path: 'lines.compact.enabled', value: true },
    },
    { from: 'MAX_CONTEXT_PCT', to: 'lines.hard.at', also: { path: 'lines.hard.enabled', value: true } },
    { from: 'RELEVANCE_CUTOFF', to: 'relevance.cutoff' },
    { from: 'THRESHOLD_KEEP', to: 'relevance.keep' },
    { from: 'RECENCY_BONUS', to: 'relevance.recencyBonus' },
    { from: 'IMPORTANCE_BOOT', to: 'relevance.importanceBonus' },
    { from: 'IMPORTANCE_BONUS', to: 'relevance.importanceBonus' },
    { from: 'MIN_CHUNKS_TO_KEEP', to: 'relevance.minChunks' },
    { from: 'MEMFAS_MIN_SCORE', to: 'relevance.similarityFloor' },
    { from: 'MEMFAS_WEIGHT', to: 'relevance.similarityWeight' },
    {
      from: 'CURATION_TRIGGER_PCT',
      to: 'lines.curate.at',
      also: { path: 'lines.curate.enabled', value: true },
    },
    { from: 'COLD_STORAGE_ENABLED', to: 'coldStorage.enabled' },
    { from: 'COLD_STORAGE_PATH', to: 'coldStorage.path' },
    { from: 'RECOVERABLE_FOR_DAYS', to: 'coldStorage.days' },
    { from: 'SUMMARIZE_MEDIUM_CHUNKS', to: 'summary.mediumChunks' },
    { from: 'SUMMARY_TARGET_TOKENS', to: 'summary.targetTokens' },
    { from: 'SUMMARY_MODEL', to: 'summary.model' },
    { from: 'LOG_PATH', to: 'logs.path' },
    { from: 'LOG_COMPACTION', to: 'logs.compaction' },
    { from: 'LOG_CURATION', to: 'logs.curation' },
    { from: 'LOG_DROPS', to: 'logs.drops' },
    { from: 'LOG_RECOVERY', to: 'logs.recovery' },
  ],
}
