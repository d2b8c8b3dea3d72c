import { ContextManager } from '../../agent/context-manager'
import { guardWindow, policyWindow } from '../../core/budget/guard'
import { loadLines } from '../../core/budget/load-lines'
import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { sizeOf } from '../live-conversation'
import { type Effect, effects } from './effect'

const WINDOW = 200_000
const off = { enabled: false }
const HARD_ONLY: PolicyPatch['lines'] = {
  ...{ curate: off, compact: off, slide: off, checkpoints: off, flush: off },
  hard: { enabled: true, at: 1 },
}

const windowOf = (policy: Policy) => policyWindow(policy, { index: null }, 'm')
const verdicts = (policy: Policy) =>
  [2_000, 8_000, 20_000, 40_000, 80_000].map(
    (tokens) => guardWindow(policy, { tokens, uncapped: WINDOW }).verdict,
  )
const lines = (policy: Policy) => loadLines(policy, WINDOW).map(({ name, tokens }) => [name, tokens])

/** What the manager says before a request of some 2,500 tokens. */
function check(policy: Policy) {
  const context = new ContextManager({
    policy,
    window: 16_000,
    key: null,
    tokensOf: sizeOf,
    promptCache: null,
  })
  return context.check([{ role: 'user', content: 'berth '.repeat(5_000) }])
}

export const WINDOWS_AND_LINES: readonly Effect[] = [
  ...effects(
    windowOf,
    {},
    {
      'window.default': [150_000, 250_000],
      'window.cap': [null, 100_000],
      'window.byModel.m': [64_000, 128_000],
    },
  ),
  ...effects(
    verdicts,
    {},
    {
      'window.blockBelow': [4_000, 16_000],
      'window.warnBelow': [16_000, 64_000],
      'window.blockShare': [0, 0.3],
      'window.warnShare': [0, 0.3],
    },
  ),
  ...effects(
    lines,
    { lines: HARD_ONLY, reserve: { maxShare: 1, floor: 0 } },
    { 'reserve.tokens': [10_000, 40_000] },
  ),
  ...effects(lines, { lines: HARD_ONLY, reserve: { maxShare: 1 } }, { 'reserve.floor': [0, 30_000] }),
  ...effects(lines, { lines: HARD_ONLY }, { 'reserve.maxShare': [0.05, 0.2] }),
  ...effects(
    lines,
    {},
    {
      'lines.curate.enabled': [true, false],
      'lines.curate.at': [0.3, 0.4],
      'lines.compact.enabled': [true, false],
      'lines.compact.at': [0.45, 0.6],
      'lines.slide.enabled': [true, false],
      'lines.slide.at': [0.6, 0.7],
      'lines.hard.enabled': [true, false],
      'lines.hard.at': [0.8, 0.85],
      'lines.checkpoints.enabled': [true, false],
      'lines.checkpoints.at': [[0.25], [0.3, 0.6]],
      'lines.flush.enabled': [true, false],
      'lines.flush.at': [[0.5], [0.6, 0.8]],
    },
  ),
  ...effects((policy) => check(policy).decided, {}, { 'counting.safetyMargin': [1, 1.5] }),
  ...effects(
    (policy) => check(policy).available,
    {},
    {
      'ledger.systemPromptTokens': [0, 3_000],
      'ledger.responseShare': [0.1, 0.3],
      'ledger.toolResultShare': [0.1, 0.3],
    },
  ),
]
