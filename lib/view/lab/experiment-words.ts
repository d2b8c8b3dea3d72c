import type { ExperimentSpec } from '../../core/replay/experiment-spec'
import { formatQuantity } from '../text/format'
import { shownText } from '../text/shown-text'

/** What is wanted of an experiment: `12 policies over the sessions of harbour since 2026-11-01`. */
export function experimentWords({ kind, sessions, policies }: ExperimentSpec): string {
  const what = kind === 'tune' ? 'tuning' : formatQuantity(policies.length, 'policy', 'policies')
  const { stores, agents, ids, since } = sessions
  const of = [
    ...(stores.length === 0 ? [] : [stores.length === 1 ? 'one store' : `${stores.length} stores`]),
    ...(agents.length === 0 ? [] : [agents.map(shownText).join(', ')]),
  ]
  const which =
    ids.length > 0
      ? formatQuantity(ids.length, 'session')
      : of.length === 0
        ? 'all sessions'
        : `the sessions of ${of.join(' and ')}`
  const from = since === null ? '' : ` since ${new Date(since).toISOString().slice(0, 10)}`
  return `${what} over ${which}${from}`
}
