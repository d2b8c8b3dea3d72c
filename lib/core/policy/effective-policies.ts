import { applier, effectivePolicy, type PolicySources, type PolicySubject } from './effective'
import type { ResolvedPolicy } from './resolve'

/**
 * The policies in force for many sessions: worked out once for each set of overrides that applies, since most sessions
 * share one.
 */
export class EffectivePolicies {
  private readonly appliers: readonly ((subject: PolicySubject) => boolean)[]
  private readonly known = new Map<string, ResolvedPolicy>()

  constructor(private readonly sources: PolicySources) {
    const { own, store, chosen } = sources
    const files = chosen === null ? [own, ...store] : [chosen]
    this.appliers = files.flatMap((source) => source?.file?.overrides ?? []).map(applier)
  }

  /** The same object for all subjects to which the same overrides apply. */
  of(subject: PolicySubject): ResolvedPolicy {
    const key = this.appliers.map((isAbout) => (isAbout(subject) ? '1' : '0')).join('')
    const known = this.known.get(key)
    if (known !== undefined) return known
    const resolved = effectivePolicy(this.sources, subject)
    this.known.set(key, resolved)
    return resolved
  }
}
