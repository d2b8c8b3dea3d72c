import type { ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'
import { maskResult } from './mask-results'

const HOUR_MS = 3_600_000
/** Claude Code keeps so many results when a session has waited. */
const KEPT_AFTER_IDLE = 5

/** Claude Code clears old results once a session has waited for an hour, when the cache is cold anyway. */
export const CLAUDE_CODE_MICRO: ReplayPolicy = {
  id: 'claude-code-micro',
  label: 'Claude Code: clear after an hour',
  about: `After an hour without a call all but the newest ${KEPT_AFTER_IDLE} tool results are cleared; nothing else is done.`,
  source: 'descriptions of Claude Code’s micro-compaction; its time and number are not in its documentation',
  family: 'runtime',
  start: (walk) => (call) => {
    const gap = walk.shape.gap[call] as number
    if (gap >= HOUR_MS) clearAllBut(walk, KEPT_AFTER_IDLE, 'idle')
  },
}

/** From so many tokens of prompt on the API clears tool uses, and keeps the newest three. */
const [CLEAR_FROM, CLEAR_KEEP] = [100_000, 3]

/** Anthropic's context editing: `clear_tool_uses_20250919` as it is set where nothing is said. */
export const ANTHROPIC_CLEAR: ReplayPolicy = {
  id: 'anthropic-clear-tool-uses',
  label: 'Anthropic: clear tool uses',
  about: `From a prompt of ${CLEAR_FROM} tokens on, all tool results but the newest ${CLEAR_KEEP} are cleared; arguments of calls stay.`,
  source:
    'Anthropic’s documentation of context editing (`clear_tool_uses_20250919`: trigger 100,000, keep 3)',
  family: 'runtime',
  start: (walk) => () => {
    if (walk.prompt >= CLEAR_FROM) clearAllBut(walk, CLEAR_KEEP, 'clear')
  },
}

/** Clears all results but the newest so many, each with all its blocks. */
function clearAllBut(walk: ReplayWalk, keep: number, rule: 'idle' | 'clear'): void {
  const { kind, entry } = walk.session.chunks
  let left = keep
  let last = -1
  for (let c = walk.end - 1; c >= 0; c--) {
    if (kind[c] !== KIND.result) continue
    if (entry[c] !== last) {
      last = entry[c] as number
      left -= 1
    }
    if (left < 0) maskResult(walk, c, rule)
  }
}
