/** Reserve that OpenClaw keeps free for the answer and housekeeping, in tokens (openclaw.md §3.2). */
export const DEFAULT_RESERVE_TOKENS = 20_000

/** On windows too small for the reserve it is at most this share of the window (OpenClaw 2026.9.6). */
export const MAX_RESERVE_SHARE = 0.25

/** Shares of the window at which the default policy acts (features.md §1, the one ladder). */
export const DEFAULT_LINES = { curate: 0.4, compact: 0.5, slide: 0.7, flush: 0.9, hard: 0.85 } as const

/** A level of the policy's ladder. `tokens` in the window, `pct` of the window from 0 to 100. */
export type LoadLine = { readonly name: string; readonly tokens: number; readonly pct: number }

/** Tokens that stay free of a window. */
export function reserveOf(window: number): number {
  return Math.min(DEFAULT_RESERVE_TOKENS, Math.floor(window * MAX_RESERVE_SHARE))
}

/** What the conversation and its fixed part may fill: window − reserve, in tokens. */
export function effectiveBudget(window: number): number {
  return window - reserveOf(window)
}

/**
 * The load lines of the default policy for a window, lowest first. The hard line is the lower of 85 % and
 * window − reserve; a flush line above it could never be reached and is left out.
 */
export function defaultLoadLines(window: number): LoadLine[] {
  const hard = Math.min(Math.floor(window * DEFAULT_LINES.hard), effectiveBudget(window))
  const lines = [
    line('curate', Math.floor(window * DEFAULT_LINES.curate), window),
    line('compact', Math.floor(window * DEFAULT_LINES.compact), window),
    line('slide', Math.floor(window * DEFAULT_LINES.slide), window),
    line('flush', Math.floor(window * DEFAULT_LINES.flush), window),
    line('hard', hard, window),
  ]
  return lines.filter((l) => l.tokens <= hard).sort((a, b) => a.tokens - b.tokens)
}

function line(name: string, tokens: number, window: number): LoadLine {
  return { name, tokens, pct: window === 0 ? 0 : (tokens / window) * 100 }
}
