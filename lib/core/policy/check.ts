import type { Policy } from './policy'

/** A contradiction between values that are each allowed. `paths` name the values that do not go together. */
export type Contradiction = {
  readonly severity: 'error' | 'warning'
  readonly paths: readonly string[]
  readonly message: string
}

/** Ratios may exceed 1 by this much before it is an error: decimal fractions do not add up exactly. */
const RATIO_SLACK = 1e-9

const RATIOS = [
  'budget.systemPromptRatio',
  'budget.bootstrapRatio',
  'budget.historyRatio',
  'budget.responseRatio',
] as const

/** What does not go together in a policy whose values are each allowed. Empty when all is well. */
export function contradictions(policy: Policy): Contradiction[] {
  const found: Contradiction[] = []
  const { budget, relevance, lines, window } = policy
  const sum = budget.systemPromptRatio + budget.bootstrapRatio + budget.historyRatio + budget.responseRatio
  if (sum > 1 + RATIO_SLACK) {
    found.push({
      severity: 'error',
      paths: RATIOS,
      message: `the ratios add up to ${round(sum)}; they may not exceed 1 (what is left below 1 is the reserve)`,
    })
  }
  if (relevance.keep <= relevance.cutoff) {
    found.push({
      severity: 'error',
      paths: ['relevance.keep', 'relevance.cutoff'],
      message: `the keep threshold ${relevance.keep} must be above the cut-off ${relevance.cutoff}`,
    })
  }
  if (lines.hard.enabled) {
    for (const kind of ['curate', 'compact', 'slide'] as const) {
      if (!lines[kind].enabled || lines[kind].at <= lines.hard.at) continue
      found.push({
        severity: 'error',
        paths: [`lines.${kind}.at`, 'lines.hard.at'],
        message: `the ${kind} line ${lines[kind].at} is above the hard limit ${lines.hard.at} and would never act`,
      })
    }
  }
  if (window.warnBelow < window.blockBelow) {
    found.push({
      severity: 'warning',
      paths: ['window.warnBelow', 'window.blockBelow'],
      message: `windows are refused below ${window.blockBelow} tokens, so the warning below ${window.warnBelow} never shows`,
    })
  }
  if (policy.summary.url !== '' && policy.summary.model === '') {
    found.push({
      severity: 'warning',
      paths: ['summary.url', 'summary.model'],
      message: `no model is named for ${policy.summary.url}, so no request goes there; name one, for example "ollama/qwen2.5:7b"`,
    })
  }
  if (relevance.recency === 'literal') {
    found.push({
      severity: 'warning',
      paths: ['relevance.recency'],
      message:
        'the literal formula rewards age: the older a chunk, the higher its score; "decay" is what is meant',
    })
  }
  if (policy.bootstrap.maxCharsPerFile > policy.bootstrap.maxCharsTotal) {
    found.push({
      severity: 'warning',
      paths: ['bootstrap.maxCharsPerFile', 'bootstrap.maxCharsTotal'],
      message: 'one file may be larger than all together; the total is what is obeyed',
    })
  }
  found.push(...pruningContradictions(policy.pruning))
  return found
}

function pruningContradictions({ cacheTtl }: Policy['pruning']): Contradiction[] {
  const found: Contradiction[] = []
  const { softTrimHeadChars, softTrimTailChars, softTrimMaxChars } = cacheTtl
  if (softTrimHeadChars + softTrimTailChars >= softTrimMaxChars) {
    found.push({
      severity: 'warning',
      paths: [
        'pruning.cacheTtl.softTrimHeadChars',
        'pruning.cacheTtl.softTrimTailChars',
        'pruning.cacheTtl.softTrimMaxChars',
      ],
      message: `head and tail of ${softTrimHeadChars + softTrimTailChars} characters are no shorter than the ${softTrimMaxChars} from which results are trimmed, so a trim may make a result longer`,
    })
  }
  if (cacheTtl.hardClear && cacheTtl.hardClearRatio < cacheTtl.softTrimRatio) {
    found.push({
      severity: 'warning',
      paths: ['pruning.cacheTtl.hardClearRatio', 'pruning.cacheTtl.softTrimRatio'],
      message: `nothing is cleared below ${cacheTtl.softTrimRatio}, where trimming begins, whatever the clearing threshold ${cacheTtl.hardClearRatio} says`,
    })
  }
  return found
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
