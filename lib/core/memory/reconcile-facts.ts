import type { Milliseconds } from '../units/units'
import type { FoundFact } from './extract-facts'
import { confidenceAt, type Fact, type Relation, stateAt } from './fact'

/** What new facts do to the known ones: all that was added or changed. */
export type Reconciled = {
  readonly added: readonly Fact[]
  /** Known ones that were said again, or that a newer one contradicts. */
  readonly changed: readonly Fact[]
}

/**
 * Takes in facts: one that is known is confirmed instead of kept twice, and one that says otherwise of the same
 * thing takes the place of the older one, which stays readable as contradicted.
 * @param known facts of the same scope
 */
export function reconcileFacts(
  known: readonly Fact[],
  found: readonly FoundFact[],
  { at, scope, newId }: { readonly at: number; readonly scope: string | null; readonly newId: () => string },
): Reconciled {
  const facts = new Map(known.map((fact) => [fact.id, fact]))
  const added = new Set<string>()
  const changed = new Set<string>()
  for (const one of found) {
    const same = [...facts.values()].find((fact) => isSame(fact, one, scope) && fact.state !== 'contradicted')
    if (same !== undefined) {
      facts.set(same.id, confirmed(same, one, at))
      changed.add(same.id)
      continue
    }
    const id = newId()
    for (const old of facts.values()) {
      if (old.state === 'contradicted' || old.scope !== scope || !contradicts(old.relation, one.relation))
        continue
      facts.set(old.id, { ...old, state: 'contradicted', replacedBy: id })
      changed.add(old.id)
    }
    facts.set(id, { ...one, id, scope, state: 'active', replacedBy: null, at, confirmedAt: at })
    added.add(id)
  }
  const of = (ids: ReadonlySet<string>) => [...ids].flatMap((id) => facts.get(id) ?? [])
  return { added: of(added), changed: of(new Set([...changed].filter((id) => !added.has(id)))) }
}

/** The facts that have decayed since they were last looked at, as archived. */
export function archivedFacts(known: readonly Fact[], now: Milliseconds): Fact[] {
  return known
    .filter((fact) => fact.state === 'active' && stateAt(fact, now) === 'archived')
    .map((fact) => ({ ...fact, state: 'archived' as const }))
}

function isSame(fact: Fact, { content }: FoundFact, scope: string | null): boolean {
  return fact.scope === scope && plain(fact.content) === plain(content)
}

function confirmed(fact: Fact, again: FoundFact, at: number): Fact {
  return {
    ...fact,
    confidence: Math.max(confidenceAt(fact, at), again.confidence),
    tags: [...new Set([...fact.tags, ...again.tags])],
    state: 'active',
    confirmedAt: Math.max(fact.confirmedAt, at),
  }
}

/** A thing may use, need and depend on several at once. */
const OF_MANY = new Set(['uses', 'requires', 'needs', 'depends on'])

/**
 * Whether two statements cannot both be true. Of a thing much can be said with “is”: only another value of the same
 * kind says otherwise, so that “is in src/a.ts” and “is fast” are beside each other.
 */
function contradicts(old: Relation | null, now: Relation | null): boolean {
  if (old === null || now === null) return false
  if (old.subject !== now.subject || old.verb !== now.verb || old.object === now.object) return false
  if (OF_MANY.has(now.verb)) return false
  return now.verb !== 'is' || valueKind(old.object) === valueKind(now.object)
}

/** What kind of value an object is: its words, with a mark for each number, path or name in code; or one word. */
function valueKind(object: string): string {
  const words = object.split(' ')
  const kind = words.map((word) => (/[\d/_]|\w\.\w/.test(word) ? '#' : word)).join(' ')
  if (kind.includes('#')) return kind
  return words.length === 1 ? 'word' : object
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
