import type { Policy } from '../policy/policy'
import type { LogKind } from './log-kinds'

const SWITCHED = ['compaction', 'curation', 'drops', 'recovery'] as const

/** The logs that a policy has switched on. Health has no switch: a check that was asked for is noted. */
export function loggedKinds(logs: Policy['logs']): LogKind[] {
  return ['health', ...SWITCHED.filter((kind) => logs[kind])]
}
