import type { PolicySubject } from '../effective'
import { NEWEST_CLAUDE_CODE } from './claude-code-rules'
import { OPENCLAW_RULES, openClawRelease, openClawRulesAt } from './openclaw-release'
import { type RuntimePolicy, type RuntimeStore, runtimePolicy } from './runtime-policy'

/** A moment in a session's past: when it was, who answered, and the entry that was written then. */
export type PastMoment = {
  /** Milliseconds since the epoch; null: unknown. */
  readonly at: number | null
  readonly provider: string | null
  readonly entryId: string | null
}

/** Ids of entries that were written into SQLite; those of files have eight digits. */
const DATABASE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i

/**
 * What the runtime did at a moment. Settings of that time are kept nowhere, so today's count; the release is the one of
 * that time as far as its date and the form of its entries tell: a store was updated since, its past was not.
 */
export function policyAt(store: RuntimeStore, subject: PolicySubject, then: PastMoment): RuntimePolicy {
  const { at, provider, entryId } = then
  const session = { ...subject, provider, at }
  if (store.owner !== 'openclaw') return runtimePolicy(store, session)
  const era = store.era === 'sqlite' && entryId !== null && !DATABASE_ID.test(entryId) ? 'jsonl' : store.era
  const stated = store.version
  const now = openClawRelease({ era, version: stated, at })
  const rulesThen = at === null ? now.rules : openClawRulesAt(at)
  const wasLater = OPENCLAW_RULES.indexOf(now.rules) > OPENCLAW_RULES.indexOf(rulesThen)
  const version = wasLater || era !== store.era ? null : stated
  return runtimePolicy({ ...store, era: wasLater ? 'jsonl' : era, version }, session)
}

/** A release of Claude Code for each of its rules. */
const CLAUDE_CODE_RELEASES = ['1.0.60', '2.0.60', NEWEST_CLAUDE_CODE]

/** The same moment by the rules of the other releases of OpenClaw or Claude Code; none for other runtimes. */
export function otherPoliciesAt(
  store: RuntimeStore,
  subject: PolicySubject,
  then: PastMoment,
): RuntimePolicy[] {
  const session = { ...subject, provider: then.provider, at: then.at }
  if (store.owner === 'claude-code')
    return CLAUDE_CODE_RELEASES.map((value) =>
      runtimePolicy({ ...store, version: { value, from: 'the other releases' } }, session),
    )
  if (store.owner !== 'openclaw') return []
  const { rules } = policyAt(store, subject, then).runtime
  return OPENCLAW_RULES.filter((other) => other !== rules).map((other) =>
    runtimePolicy(
      {
        ...store,
        era: other === '2026.9' ? 'sqlite' : 'jsonl',
        version: { value: `${other}.1`, from: 'the other releases' },
      },
      session,
    ),
  )
}
