import type { KeyRule, PolicyFormat } from './key-rule'

const ROOT = 'agents.defaults.contextManagement'

const rule = (from: string, to: string): KeyRule => ({ from: `${ROOT}.${from}`, to })

/** `contextManagement` of VS7: a YAML (or JSON) file with the five regions. */
export const VS7_FORMAT: PolicyFormat = {
  name: 'vs7',
  label: 'VS7 context management',
  sections: [ROOT],
  rules: [
    rule('enabled', 'budget.enabled'),
    rule('budget.systemPromptRatio', 'budget.systemPromptRatio'),
    rule('budget.bootstrapRatio', 'budget.bootstrapRatio'),
    rule('budget.historyRatio', 'budget.historyRatio'),
    rule('budget.responseRatio', 'budget.responseRatio'),
    rule('budget.minResponseTokens', 'budget.minResponseTokens'),
    rule('budget.reserveForHistory', 'budget.reserveForHistory'),
    rule('rollingSummary.enabled', 'summary.rolling.enabled'),
    rule('rollingSummary.windowSize', 'summary.rolling.windowTurns'),
    rule('rollingSummary.summaryMaxTokens', 'summary.rolling.maxTokens'),
    rule('rollingSummary.triggerThreshold', 'summary.rolling.triggerTokens'),
    rule('semanticHistory.enabled', 'semantic.enabled'),
    rule('semanticHistory.maxRetrievedChunks', 'semantic.maxChunks'),
    rule('semanticHistory.minRelevanceScore', 'semantic.minScore'),
  ],
}
