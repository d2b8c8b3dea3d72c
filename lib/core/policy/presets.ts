import type { PolicyPatch } from './policy'

export const PRESET_NAMES = [
  'default',
  'openclaw',
  'openclaw-2026.9',
  'vs7',
  'memfas',
  'goclaw',
  'proactive',
] as const

export type PresetName = (typeof PRESET_NAMES)[number]

const off = { enabled: false } as const

/** No line of the ladder: what a runtime does that only reacts. */
const NO_LINES = { curate: off, compact: off, slide: off, hard: off, checkpoints: off, flush: off } as const

/** The rules that take out tool results, all switched off. */
const NO_RULES = {
  byAge: false,
  duplicates: false,
  supersededReads: false,
  supersededWrites: false,
  errors: false,
} as const

/** Nothing is protected from those rules. */
const NO_PROTECTION = { keepLastMessages: 0, keepRecentMs: 0, alwaysKeep: [], toolResultsAfterMs: 0 }

/** OpenClaw 2026.2: one threshold at window − reserve, safeguard mode (lib/docs/openclaw.md#compaction). */
const OPENCLAW: PolicyPatch = {
  reserve: { tokens: 16_384, floor: 20_000, maxShare: 1 },
  lines: { ...NO_LINES, hard: { enabled: true, at: 1 } },
  // It keeps its tail whatever share that is, and prunes by the share only what it summarises.
  compaction: { withinShare: false },
  summary: { mediumChunks: false, rolling: off, sliding: off },
  coldStorage: off,
  // Its agents read their notes themselves.
  bootstrap: { dailyNotes: false },
  // Its own pruning protects by its own rules; it is off unless the operator, or a key for Anthropic, switches it on.
  pruning: { ...NO_RULES, ...NO_PROTECTION, keepTools: [] },
}

/**
 * What each preset changes in the defaults. OpenClaw's numbers: lib/docs/openclaw.md#compaction and #requests.
 * @example
 * ```ts
 * import { PRESETS, resolvePolicy } from 'plimsoll-agent'
 *
 * const { policy } = resolvePolicy([{ level: 'preset', label: 'goclaw', patch: PRESETS.goclaw }])
 * ```
 */
export const PRESETS: { readonly [N in PresetName]: PolicyPatch } = {
  default: {},
  openclaw: OPENCLAW,
  // The SQLite era: a smaller reserve on small windows, tighter bootstrap caps, guards by share, 180 s, and turn limits
  // that let half as much again gather before they cut.
  'openclaw-2026.9': {
    ...OPENCLAW,
    window: { blockBelow: 4000, warnBelow: 8000, blockShare: 0.1, warnShare: 0.2 },
    reserve: { tokens: 16_384, floor: 20_000, maxShare: 0.25 },
    history: { trimAbove: 1.5 },
    compaction: { withinShare: false, timeoutMs: 180_000 },
    bootstrap: {
      dailyNotes: false,
      files: ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md', 'BOOTSTRAP.md', 'MEMORY.md'],
      maxCharsTotal: 60_000,
      headShare: 0.75,
      tailShare: 0.25,
    },
  },
  // VS7: five regions, rolling summary, semantic history; no ladder.
  vs7: {
    budget: { enabled: true },
    lines: { ...NO_LINES, hard: { enabled: true, at: 1 } },
    semantic: { enabled: true },
    summary: { mediumChunks: false, sliding: off },
    coldStorage: off,
    pruning: NO_RULES,
  },
  // Seed 2: compaction at half the window, relevance, cold storage; nothing else acts.
  memfas: {
    lines: { slide: off, checkpoints: off, flush: off },
    summary: { model: 'minimax/MiniMax-M2.1', rolling: off, sliding: off },
    compaction: { mode: 'default' },
    // It protects the newest five chunks and what is marked as important; the other seeds' rules are off.
    history: { recentTurns: 0 },
    pruning: { ...NO_RULES, ...NO_PROTECTION },
  },
  // Seed 1: flush and checkpoints by share, compaction at window − reserve, history cut to half.
  goclaw: {
    lines: { curate: off, compact: off, slide: off, hard: { enabled: true, at: 1 } },
    history: { maxTurns: null },
    summary: { mediumChunks: false, rolling: off, sliding: off },
    coldStorage: off,
    pruning: NO_RULES,
  },
  // Seed 4: act before the overflow; sliding summaries, pruning rules, the token ledger.
  proactive: {
    lines: { curate: off, compact: off, checkpoints: off, flush: off },
    summary: { mediumChunks: false, rolling: off },
    coldStorage: off,
  },
}

export function isPreset(name: string): name is PresetName {
  return (PRESET_NAMES as readonly string[]).includes(name)
}
