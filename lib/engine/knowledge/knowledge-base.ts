import { type FoundFact, statedFact } from '../../core/memory/extract-facts'
import { ARCHIVED_BELOW, confidenceAt, type Fact, stateAt } from '../../core/memory/fact'
import { type RankedFact, RECALLED_FACTS, rankFacts } from '../../core/memory/rank-facts'
import { archivedFacts, reconcileFacts } from '../../core/memory/reconcile-facts'
import { credentialRanges } from '../../core/redaction/secrets'
import { termsOf } from '../../core/relevance/tokenize'
import type { Clock } from '../read/ports'
import type { FactStore } from './fact-store'

/** What a `KnowledgeBase` works with. */
export type KnowledgePorts = {
  readonly store: FactStore
  readonly clock: Clock
  readonly newId: () => string
}

/** What learning changed. */
export type Learned = {
  readonly added: readonly Fact[]
  readonly confirmed: readonly Fact[]
  readonly contradicted: readonly Fact[]
}

/** What an operator changes of a fact; the rest stays. */
export type FactEdit = {
  readonly content?: string
  readonly confidence?: number
  readonly tags?: readonly string[]
  readonly state?: 'active' | 'archived'
}

const [MIN_CONTENT, MAX_CONTENT] = [3, 1_000]

/**
 * Long-term memory over whatever store holds the facts. Fails only when no store can be used at all.
 *
 * @example
 * ```ts
 * import { KnowledgeBase, transientFacts } from 'plimsoll-agent'
 *
 * const store = transientFacts()
 * const knowledge = new KnowledgeBase({ store, clock: { now: Date.now }, newId: () => crypto.randomUUID() })
 * await knowledge.add('The crane logs to /var/log/crane.log.', { source: 'operator', scope: null })
 * const [found] = await knowledge.recall('Where does the crane log to?', null)
 * ```
 */
export class KnowledgeBase {
  constructor(private readonly ports: KnowledgePorts) {}

  get name(): string {
    return this.ports.store.name
  }

  /**
   * Takes in facts: known ones are confirmed, contradicted ones give way. What holds a credential is left out:
   * facts go to other agents, and to their models.
   */
  async learn(some: readonly FoundFact[], scope: string | null): Promise<Learned> {
    const { store, clock, newId } = this.ports
    const found = some.filter(({ content }) => !holdsCredential(content))
    if (found.length === 0) return { added: [], confirmed: [], contradicted: [] }
    const terms = [...new Set(found.flatMap(({ content }) => [...termsOf(content)]))]
    const known = await store.find({ terms, scope })
    const at = clock.now()
    const { added, changed } = reconcileFacts(known, found, { at, scope, newId })
    const touched = new Set(changed.map(({ id }) => id))
    // What has decayed is archived by the way, as far as it was examined.
    const decayed = archivedFacts(known, at).filter(({ id }) => !touched.has(id))
    await store.put([...added, ...changed, ...decayed])
    return {
      added,
      confirmed: changed.filter(({ state }) => state === 'active'),
      contradicted: changed.filter(({ state }) => state === 'contradicted'),
    }
  }

  /** What is known that fits a new task. */
  async recall(query: string, scope: string | null, limit = RECALLED_FACTS): Promise<readonly RankedFact[]> {
    const { store, clock } = this.ports
    const terms = [...termsOf(query)]
    if (terms.length === 0) return []
    const facts = await store.find({ terms, scope })
    return rankFacts(facts, query, { now: clock.now(), limit })
  }

  /** Facts of every state and scope for their maintenance; without words the newest first. */
  async search(query: string, limit: number): Promise<readonly RankedFact[]> {
    const facts = await this.ports.store.find({ terms: query.trim() === '' ? null : [...termsOf(query)] })
    return rankFacts(facts, query, { now: this.ports.clock.now(), limit, all: true })
  }

  /** Adds a fact by hand, or says why not. */
  async add(
    content: string,
    options: { readonly source: string; readonly tags?: readonly string[]; readonly scope?: string | null },
  ): Promise<
    { readonly ok: true; readonly learned: Learned } | { readonly ok: false; readonly problem: string }
  > {
    const { source, tags = [], scope = null } = options
    const problem = problemOf(content)
    if (problem !== null) return { ok: false, problem }
    return { ok: true, learned: await this.learn([statedFact(content, { source, tags })], scope) }
  }

  /**
   * Changes a fact by its id, or says why not. An edited fact counts as confirmed now, and is as sure as it was today.
   */
  async edit(
    id: string,
    edit: FactEdit,
  ): Promise<{ readonly ok: true; readonly fact: Fact } | { readonly ok: false; readonly problem: string }> {
    const known = await this.named(id)
    if (known === null) return { ok: false, problem: `There is no fact ${JSON.stringify(id)}.` }
    const now = this.ports.clock.now()
    const { content = known.content, confidence = confidenceAt(known, now) } = edit
    // What is left as it is may be older than the rules.
    const problem = edit.content === undefined ? null : problemOf(content)
    if (problem !== null) return { ok: false, problem }
    if (!(confidence > 0 && confidence <= 1))
      return { ok: false, problem: 'Confidence is a number above 0, at most 1.' }
    const isWanted = (edit.state ?? stateAt(known, now)) === 'active'
    if (isWanted && confidence < ARCHIVED_BELOW)
      return {
        ok: false,
        problem: `Below ${percent(ARCHIVED_BELOW)} a fact is archived and not recalled; this one would have ${percent(confidence)}. Give it more, or leave it archived.`,
      }
    const { source, tags } = { ...known, ...edit }
    const stated = statedFact(content, { source, tags, confidence })
    const state = edit.state ?? known.state
    const fact: Fact = {
      ...known,
      ...stated,
      state,
      replacedBy: state === 'active' ? null : known.replacedBy,
      confirmedAt: now,
    }
    await this.ports.store.put([fact])
    return { ok: true, fact }
  }

  /** Forgets facts for good. Answers which those were: no other store has them from now on. */
  async forget(ids: readonly string[]): Promise<readonly Fact[]> {
    const wanted = new Set(ids)
    const known = (await this.ports.store.find({ terms: null })).filter(({ id }) => wanted.has(id))
    if (known.length > 0) await this.ports.store.remove(known.map(({ id }) => id))
    return known
  }

  /** Archives what has decayed. Answers how many facts that were. */
  async tidy(): Promise<number> {
    const { store, clock } = this.ports
    const archived = archivedFacts(await store.find({ terms: null }), clock.now())
    if (archived.length > 0) await store.put(archived)
    return archived.length
  }

  private async named(id: string): Promise<Fact | null> {
    return (await this.ports.store.find({ terms: null })).find((fact) => fact.id === id) ?? null
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function holdsCredential(text: string): boolean {
  return credentialRanges(text).length > 0
}

function problemOf(content: string): string | null {
  const { length } = content.trim()
  if (length < MIN_CONTENT) return 'A fact needs words.'
  if (holdsCredential(content))
    return 'It holds what looks like a credential, and facts go to agents and their models. Say where it is kept instead.'
  return length > MAX_CONTENT
    ? `A fact has at most ${MAX_CONTENT} characters, this one ${length}. Longer notes belong into a memory file.`
    : null
}
