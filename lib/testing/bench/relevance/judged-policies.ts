import { REPLAY_POLICIES } from '../../../core/replay/policies/table'
import type { ReplayPolicy } from '../../../core/replay/replay-policy'
import type { ReplaySession } from '../../../core/replay/replay-session'

/** Policies whose verdicts are judged by hand: masking, windows that slide, native compaction, our digest, nothing kept. */
const JUDGED = [
  'mask-10',
  'opencode-prune',
  'words-only',
  'keep-calls-10',
  'keep-turns-5',
  'runtime-pi',
  'runtime-claude-code',
  'runtime-openclaw',
  'half-window-digest',
  'half-window-empty',
]
/** No session of the corpus fills half of its own window, so that each is replayed in a smaller one. Tokens. */
const WINDOW = 48_000

export function judgedPolicies(): ReplayPolicy[] {
  return REPLAY_POLICIES.filter(({ id }) => JUDGED.includes(id))
}

/** The session as it would have been in a window that it fills. */
export function inSmallWindow(session: ReplaySession): ReplaySession {
  const { count } = session.calls
  const window = new Int32Array(count).fill(WINDOW)
  return { ...session, calls: { ...session.calls, window, believed: new Int32Array(count).fill(-1) } }
}
