import type { PolicyPatch } from '../policy'
import { PRESETS } from '../presets'
import type { OpenClawRules } from './openclaw-release'

/** Tokens below the compaction at which OpenClaw has memory written, unless its settings say another number. */
const SOFT_FLUSH: PolicyPatch['flush'] = { softThresholdTokens: 4_000 }

/** One flush line below the compaction, and none at shares of the window. */
const ONE_FLUSH = { enabled: true, at: [] as number[] }

/** Lines of ours that no runtime has. */
const OFF = { enabled: false } as const
const NO_LINES = { curate: OFF, compact: OFF, slide: OFF, hard: OFF, checkpoints: OFF } as const

const EARLY: PolicyPatch = {
  ...PRESETS.openclaw,
  lines: { ...NO_LINES, flush: ONE_FLUSH },
  flush: SOFT_FLUSH,
  semantic: { enabled: false },
}

/**
 * What a release of OpenClaw does before its settings are examined (lib/docs/openclaw.md#compaction, #requests; the
 * numbers were read in the shipped files of 2026.2.26, 2026.7.1 and 2026.9.6). Where it compacts is in
 * `core/budget/runtime-lines.ts`.
 */
export const OPENCLAW_BASES: { readonly [R in OpenClawRules]: PolicyPatch } = {
  '2026.2': EARLY,
  '2026.7': {
    ...EARLY,
    window: { blockBelow: 4_000, warnBelow: 8_000, blockShare: 0.1, warnShare: 0.2 },
    compaction: { withinShare: false, timeoutMs: 180_000 },
    bootstrap: { dailyNotes: false, maxCharsTotal: 60_000, headShare: 0.75, tailShare: 0.25 },
  },
  '2026.9': {
    ...PRESETS['openclaw-2026.9'],
    lines: { ...NO_LINES, flush: ONE_FLUSH },
    flush: SOFT_FLUSH,
    semantic: { enabled: false },
  },
}

/** pi: one threshold at window − reserve; it flushes no memory, prunes nothing and sends every turn. */
export const PI_BASE: PolicyPatch = {
  reserve: { tokens: 16_384, floor: 0, maxShare: 1 },
  lines: { ...NO_LINES, flush: OFF },
  compaction: { mode: 'default', keepRecentTokens: 20_000, withinShare: false },
  summary: { mediumChunks: false, rolling: OFF, sliding: OFF },
  coldStorage: OFF,
  semantic: { enabled: false },
  pruning: { ...PRESETS.openclaw.pruning, cacheTtl: { enabled: false } },
  history: { maxTurns: null, sendThinking: true },
}

/**
 * Claude Code: one threshold, see `claude-code-rules.ts`. What it keeps free is the room for an answer.
 */
export const CLAUDE_CODE_BASE: PolicyPatch = PI_BASE

/**
 * OpenCode: one threshold, below the room of an answer (32,000 at most) and as much again, 20,000 at most
 * (lib/docs/opencode.md#compaction). The room is that of a model whose answers may be so long.
 */
export const OPENCODE_BASE: PolicyPatch = { ...PI_BASE, reserve: { tokens: 52_000, floor: 0, maxShare: 1 } }

/** Codex: one threshold, see `codex-rules.ts`. */
export const CODEX_BASE: PolicyPatch = { ...PI_BASE, reserve: { tokens: 0, floor: 0, maxShare: 1 } }
