import type { Policy } from '../../policy/policy'
import type { DropChunk } from '../../pruning/drop-chunk'
import { type DropPlan, relevanceDrop } from '../../pruning/relevance-drop'
import type { UseSignals } from '../../relevance/score'
import { scorerOf } from '../../relevance/scorer-of'
import { PLAN_TOOLS } from '../../summary/digest-prose'
import type { Tokens } from '../../units/units'
import { dropRule } from '../drop-rules'
import { type PlaceFacts, placeFacts } from '../walk/place-facts'
import { FORM, type ReplayWalk } from '../walk/replay-walk'
import { KIND, type SessionShape } from '../walk/session-shape'

/** A chunk as relevance looks at it: a message, or an answer with the results of its calls. Places of `SessionShape`. */
type Group = {
  readonly places: readonly number[]
  readonly role: DropChunk['role']
  readonly kinds: readonly string[]
  readonly important: boolean
}

const known = new WeakMap<SessionShape, readonly Group[]>()

/** Drops by relevance over a walk: the live engine's own plan, of scores by what is prepared of a session. */
export class WalkRelevance {
  private readonly facts: PlaceFacts
  private readonly groups: readonly Group[]
  private readonly scorer
  /** By chunk: calls that used it, and the last one. */
  private readonly uses: Int32Array
  private readonly lastUse: Int32Array
  private nextNeed = 0
  private readonly likeness: Float32Array
  private likenessTurn = -1

  constructor(
    private readonly walk: ReplayWalk,
    private readonly policy: Policy,
  ) {
    const { count } = walk.session.chunks
    this.facts = placeFacts(walk.shape)
    this.groups = groupsOf(walk.shape, this.facts)
    this.scorer = scorerOf(policy.relevance)
    this.uses = new Int32Array(count)
    this.lastUse = new Int32Array(count).fill(-1)
    this.likeness = new Float32Array(count)
  }

  /** What the live engine would decide now, and how many tokens of the conversation that leaves. */
  plan(pass: 'curate' | 'compact', room: Tokens | null): { readonly plan: DropPlan; readonly live: Tokens } {
    this.noteUses()
    this.noteLikeness()
    const chunks = this.groups.flatMap((group, number) => this.dropChunk(group, number))
    const plan = relevanceDrop({ chunks, policy: this.policy, pass, now: this.walk.now, room })
    return { plan, live: this.walk.live - plan.tokensBefore + plan.tokensAfter }
  }

  /** Carries a plan out; answers whether anything changed. */
  apply({ decisions }: DropPlan): boolean {
    let changed = false
    for (const { chunk, action, reason, tokensAfter } of decisions) {
      if (action === 'keep') continue
      changed = true
      const rule = reason === 'hard_limit' ? 'limit' : 'relevance'
      let left = action === 'drop' ? null : tokensAfter
      for (const place of this.groups[Number(chunk.id)]?.places ?? [])
        for (let c = this.first(place); c < this.first(place + 1); c++) {
          // What is said in short holds some of its words; which is unknown, so it counts as none.
          if (left === null) this.walk.leave(c, rule)
          else this.walk.change(c, left, FORM.stub, dropRule(rule))
          if (left !== null) left = 0
        }
    }
    return changed
  }

  private first(place: number): number {
    return this.walk.shape.firstChunk[place] as number
  }

  private dropChunk(group: Group, number: number): DropChunk | readonly [] {
    const { walk, facts } = this
    let [tokens, whole, last, uses, used, alike] = [0, 0, 0, 0, -1, 0]
    for (const place of group.places)
      for (let c = this.first(place); c < this.first(place + 1) && c < walk.end; c++) {
        tokens += walk.tokensNow(c)
        if (walk.isWhole(c)) whole += 1
        last = place
        uses += this.uses[c] as number
        used = Math.max(used, this.lastUse[c] as number)
        alike = Math.max(alike, this.likeness[c] as number)
      }
    if (whole === 0) return []
    const at = facts.at[last] as number
    const born = walk.session.chunks.born[this.first(last)] as number
    const use: UseSignals = {
      callsSinceBorn: walk.call - born,
      callsSinceUse: walk.call - Math.max(born, used),
      uses,
      tokens,
      outputSimilarity: 0,
      spanOverlap: 0,
    }
    const { important } = group
    const score = this.scorer.score({
      similarity: alike,
      ageMs: Number.isNaN(at) ? null : walk.now - at,
      important,
      use,
    })
    const { role, kinds, places } = group
    return {
      ...{ id: String(number), members: places, tokens, at: Number.isNaN(at) ? null : at },
      ...{ role, important, kinds, score },
    }
  }

  private noteUses(): void {
    const { needs } = this.walk.session
    for (; this.nextNeed < needs.count; this.nextNeed++) {
      const at = needs.at[this.nextNeed] as number
      if (at >= this.walk.call) return
      for (
        let i = needs.offset[this.nextNeed] as number;
        i < (needs.offset[this.nextNeed + 1] as number);
        i++
      ) {
        const source = needs.source[i] as number
        if (this.lastUse[source] !== at) this.uses[source] = (this.uses[source] as number) + 1
        this.lastUse[source] = at
      }
    }
  }

  private noteLikeness(): void {
    const { likeness, chunks } = this.walk.session
    const turn = chunks.turn[this.walk.end - 1] ?? 0
    if (turn === this.likenessTurn) return
    this.likenessTurn = turn
    this.likeness.fill(0)
    for (let i = likeness.offset[turn] ?? 0; i < (likeness.offset[turn + 1] ?? 0); i++)
      this.likeness[likeness.chunk[i] as number] = (likeness.value[i] as number) / 255
  }
}

function groupsOf(shape: SessionShape, facts: PlaceFacts): readonly Group[] {
  const before = known.get(shape)
  if (before !== undefined) return before
  const { callOf, placeOf, firstChunk, session } = shape
  const members = new Map<number, number[]>()
  for (let place = 0; place + 1 < firstChunk.length; place++) {
    const call = callOf[firstChunk[place] as number] as number
    const home = facts.kind[place] === KIND.result && call >= 0 ? (placeOf[call] as number) : place
    members.set(home, [...(members.get(home) ?? []), place])
  }
  const groups = [...members.values()].map((places): Group => {
    const kinds: string[] = []
    const has = (kind: number) => places.some((place) => facts.kind[place] === kind)
    if (has(KIND.user)) kinds.push('human_input')
    if (places.some((place) => facts.failed[place] === 1)) kinds.push('error')
    if (places.some((place) => PLAN_TOOLS.test(session.tools[facts.tool[place] as number] ?? '')))
      kinds.push('plan')
    const role = has(KIND.result) ? 'tool' : has(KIND.user) ? 'user' : 'other'
    return { places, role, kinds, important: places.some((place) => facts.important[place] === 1) }
  })
  known.set(shape, groups)
  return groups
}
