import { applies, effectivePolicy, type PolicySources, type PolicySubject } from './effective'
import type { PolicyOverride } from './reading'
import type { ResolvedPolicy } from './resolve'

/**
 * The policies in force for many sessions: worked out once for each set of overrides that applies, since most sessions
 * share one.
 */
export class EffectivePolicies {
  private readonly overrides: readonly PolicyOverride[]
  private readonly known = new Map<string, ResolvedPolicy>()

  constructor(private readonly sources: PolicySources) {
    const { own, store, chosen } = sources
    const files = chosen === null ? [own, ...store] : [chosen]
    this.overrides = files.flatMap((source) => source?.file?.overrides ?? [])
  }

  /** The same object for all subjects to which the same overrides apply. */
  of(subject: PolicySubject): ResolvedPolicy {
    const key = this.overrides.map((override) => (applies(override, subject) ? '1' : '0')).join('')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const resolved = effectivePolicy(this.sources, subject)
    this.known.set(key, resolved)
    return resolved
  }
}
