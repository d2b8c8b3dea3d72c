import type { Policy } from '../../policy/policy'
import { type GuardBounds, guardBounds, placeGuard, toolGuards } from '../../pruning/prune-context'
import type { PruneRuleName } from '../../pruning/prune-rule-names'
import { rulesOf } from '../../pruning/prune-rules'
import { weighedChars } from '../../pruning/pruner-chars'
import { byFill } from '../../pruning/rules/cache-ttl'
import { toolMatcher } from '../../pruning/tool-patterns'
import { trimmedLength } from '../../pruning/trimmed-text'
import { type DropRule, dropRule } from '../drop-rules'
import { type PlaceFacts, placeFacts } from '../walk/place-facts'
import { FORM, type ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'

/** What a policy says of pruning, worked out once for all sessions. */
export type PrunePolicyFacts = {
  readonly policy: Policy
  readonly toolGuard: (tool: string) => unknown
  /** Whether pruning by fill may touch a tool. */
  readonly allows: (tool: string) => boolean
  readonly placeholder: number
  /** Rules that act on what is sent. */
  readonly rules: readonly PruneRuleName[]
}

export function prunePolicyFacts(policy: Policy): PrunePolicyFacts {
  const { pruning } = policy
  const { allow, deny } = pruning.cacheTtl
  const [allowed, denied] = [toolMatcher(allow), toolMatcher(deny)]
  const allowsAll = allow.every((pattern) => pattern.trim() === '')
  // What goes by age is summarised instead where the policy says so and sliding summaries see to it.
  const isSummarised = pruning.summarizeFirst && policy.summary.sliding.enabled
  return {
    policy,
    toolGuard: toolGuards(pruning),
    allows: (tool) => !denied(tool) && (allowsAll || allowed(tool)),
    placeholder: weighedChars(pruning.placeholder),
    rules: rulesOf(policy).filter((rule) => rule !== 'age' || !isSummarised),
  }
}

/** Rules of pruning over a walk, by the live rules' own guards and sizes. */
export class WalkPruning {
  private readonly facts: PlaceFacts
  private readonly policy: Policy
  private readonly toolGuard: (tool: string) => unknown
  private readonly allows: (tool: string) => boolean
  private readonly placeholder: number
  /** Nothing before this place is left to be cleared. */
  private oldFrom = 0
  private bounds: GuardBounds = { turnsFrom: 0, newestFrom: 0, now: 0 }

  constructor(
    private readonly walk: ReplayWalk,
    { policy, toolGuard, allows, placeholder }: PrunePolicyFacts,
  ) {
    this.facts = placeFacts(walk.shape)
    this.policy = policy
    this.toolGuard = toolGuard
    this.allows = allows
    this.placeholder = placeholder
  }

  /** Applies rules to what is in the prompt now. @param gap milliseconds since the call before; NaN: not known */
  run(rules: readonly PruneRuleName[], gap: number): void {
    const places = this.setBounds()
    for (const rule of rules) {
      if (rule === 'cache-ttl') this.byFill(places, gap)
      else this.byRule(rule, places)
    }
  }

  /** The results that are older than the policy keeps them and that nothing protects: their places, and what goes. */
  oldResults(): { readonly places: readonly number[]; readonly freed: number } {
    const end = this.setBounds()
    const places: number[] = []
    let freed = 0
    for (let place = this.oldFrom; place < end; place++) {
      if (!this.isOld(place)) continue
      if (this.mayClear(place)) {
        places.push(place)
        freed += this.clear(place, 'age', false)
      } else if (place === this.oldFrom && this.isDone(place)) this.oldFrom += 1
    }
    return { places, freed }
  }

  /** Whether there is nothing at a place that could ever be cleared. */
  private isDone(place: number): boolean {
    if (this.facts.kind[place] !== KIND.result) return true
    return !this.walk.isWhole(this.walk.shape.firstChunk[place] as number)
  }

  /** Clears results, and answers the chunks that they were. */
  clearPlaces(places: readonly number[]): number[] {
    const { firstChunk } = this.walk.shape
    const chunks: number[] = []
    for (const place of places) {
      this.clear(place, 'age', true)
      for (let c = firstChunk[place] as number; c < (firstChunk[place + 1] as number); c++) chunks.push(c)
    }
    return chunks
  }

  /** Answers how many places are in the prompt. */
  private setBounds(): number {
    const { walk, facts } = this
    const places = walk.end === 0 ? 0 : (walk.shape.placeOf[walk.end - 1] as number) + 1
    this.bounds = guardBounds(this.policy, places, (at) => facts.kind[at] === KIND.user, walk.now)
    return places
  }

  private byRule(rule: Exclude<PruneRuleName, 'cache-ttl'>, places: number): void {
    const { walk, facts } = this
    if (rule === 'age') {
      this.clearPlaces(this.oldResults().places)
      return
    }
    if (rule === 'superseded-writes' || rule === 'errors') {
      const failedBefore = this.failedBefore(places)
      for (const chunk of rule === 'errors' ? facts.failedCalls : facts.supersededCalls) {
        if (chunk >= walk.end) return
        this.clearArguments(chunk, rule, failedBefore)
      }
      return
    }
    const { superseded, repeated } = walk.session.chunks
    const [list, from] = rule === 'duplicates' ? [facts.repeated, repeated] : [facts.superseded, superseded]
    for (const place of list) {
      if (place >= places) return
      const since = from[walk.shape.firstChunk[place] as number] as number
      if (since <= walk.call && this.mayClear(place)) this.clear(place, rule, true)
    }
  }

  private isOld(place: number): boolean {
    const limit = this.policy.pruning.toolResultsAfterMs
    return limit > 0 && this.walk.now - (this.facts.at[place] as number) > limit
  }

  /** Whether nothing protects the result at a place, and it is there still. */
  private mayClear(place: number): boolean {
    const { facts, walk, policy } = this
    if (facts.kind[place] !== KIND.result || !walk.isWhole(walk.shape.firstChunk[place] as number))
      return false
    if (facts.failed[place] === 1 && policy.pruning.alwaysKeep.includes('error')) return false
    const tool = walk.session.tools[facts.tool[place] as number] ?? ''
    if (this.toolGuard(tool) !== null) return false
    return this.guard(place, policy.pruning.toolResultsAfterMs) === null
  }

  private guard(place: number, younger: number) {
    const at = this.facts.at[place] as number
    const message = { important: this.facts.important[place] === 1, at: Number.isNaN(at) ? null : at }
    return placeGuard(this.bounds, message, place, younger)
  }

  /** Leaves the placeholder of a result; answers the tokens that frees. */
  private clear(place: number, rule: DropRule, really: boolean): number {
    const chars = this.facts.chars[place] as number
    return chars <= this.placeholder ? 0 : this.shrink(place, rule, this.placeholder / chars, really)
  }

  /** Leaves a share of the tokens of a result, none of its words. */
  private shrink(place: number, rule: DropRule, share: number, really: boolean): number {
    const { walk } = this
    const [from, to] = [walk.shape.firstChunk[place] as number, walk.shape.firstChunk[place + 1] as number]
    let tokens = 0
    for (let c = from; c < to; c++) tokens += walk.tokensNow(c)
    const left = Math.ceil(tokens * share)
    if (really) for (let c = from; c < to; c++) walk.leave(c, rule, c === from ? left : 0)
    return tokens - left
  }

  private clearArguments(chunk: number, rule: 'superseded-writes' | 'errors', failedBefore: number): void {
    const { walk, policy } = this
    const { cleared, superseded, tool } = walk.session.chunks
    if (!walk.isWhole(chunk)) return
    const goes =
      rule === 'errors' ? this.hasFailed(chunk, failedBefore) : (superseded[chunk] as number) <= walk.call
    if (!goes || this.toolGuard(walk.session.tools[tool[chunk] as number] ?? '') !== null) return
    const place = walk.shape.placeOf[chunk] as number
    if (this.guard(place, policy.pruning.keepRecentMs) === null)
      walk.leave(chunk, rule, cleared[chunk] as number)
  }

  private failedBefore(places: number): number {
    const { errorTurns } = this.policy.pruning
    if (errorTurns === 0) return places
    const users = this.facts.users
    let seen = 0
    for (let i = users.length - 1; i >= 0; i--) {
      if ((users[i] as number) >= places) continue
      seen += 1
      if (seen === errorTurns) return users[i] as number
    }
    return 0
  }

  /** Whether the result of a call before a place says that it failed. */
  private hasFailed(call: number, before: number): boolean {
    const { placeOf, callOf } = this.walk.shape
    for (let c = call + 1; c < this.walk.end && c < call + NEAR; c++)
      if (callOf[c] === call)
        return (placeOf[c] as number) < before && this.facts.failed[placeOf[c] as number] === 1
    return false
  }

  /** OpenClaw's pruning once the cache has gone cold. */
  private byFill(places: number, gap: number): void {
    const { walk, facts, policy } = this
    const knobs = policy.pruning.cacheTtl
    if (knobs.ttlMs <= 0 || !(gap >= knobs.ttlMs)) return
    const end = this.answersFrom(places, knobs.keepLastAssistants)
    if (end === null) return
    let chars = 0
    const prunable: number[] = []
    for (let place = 0; place < places; place++) {
      chars += this.charsNow(place)
      const isFirst = (facts.users[0] ?? end) <= place && place < end
      if (!isFirst || !this.mayClear(place)) continue
      if (this.allows(walk.session.tools[facts.tool[place] as number] ?? '')) prunable.push(place)
    }
    const decisions = byFill(knobs, {
      window: walk.window,
      chars,
      prunable,
      sizeOf: (at) => facts.chars[at] as number,
      trimmed: (at) => trimmedLength(facts.chars[at] as number, knobs),
      isCleared: () => false,
      placeholderChars: this.placeholder,
    })
    for (const { at, action, charsAfter } of decisions ?? [])
      if (action === 'clear') this.clear(at, 'cache-ttl', true)
      else this.trim(at, charsAfter)
  }

  /** Blocks that are whole in the beginning or the end that is kept stay; the rest is not there any more. */
  private trim(place: number, charsAfter: number): void {
    const { walk, facts } = this
    const { softTrimHeadChars, softTrimTailChars } = this.policy.pruning.cacheTtl
    const { firstChunk } = walk.shape
    const { size, tokens } = walk.session.chunks
    const [from, to] = [firstChunk[place] as number, firstChunk[place + 1] as number]
    const all = facts.chars[place] as number
    let [before, taken, kept, lead] = [0, 0, 0, -1]
    for (let c = from; c < to; c++) taken += tokens[c] as number
    for (let c = from; c < to; c++) {
      const chars = (size[c] as number) * 4
      const isKept = before + chars <= softTrimHeadChars || before >= all - softTrimTailChars
      before += chars
      if (isKept) {
        kept += tokens[c] as number
        continue
      }
      walk.leave(c, 'cache-ttl', 0)
      if (lead < 0) lead = c
    }
    if (lead >= 0)
      walk.change(
        lead,
        Math.max(0, Math.ceil((taken * charsAfter) / all) - kept),
        FORM.stub,
        dropRule('cache-ttl'),
      )
  }

  private charsNow(place: number): number {
    const { walk, facts } = this
    const [from, to] = [walk.shape.firstChunk[place] as number, walk.shape.firstChunk[place + 1] as number]
    let [now, all] = [0, 0]
    for (let c = from; c < to; c++) {
      now += walk.tokensNow(c)
      all += walk.session.chunks.tokens[c] as number
    }
    return all === 0 ? 0 : ((facts.chars[place] as number) * now) / all
  }

  private answersFrom(places: number, count: number): number | null {
    if (count <= 0) return places
    let left = count
    for (let at = places - 1; at >= 0; at--) {
      const kind = this.facts.kind[at]
      if (kind !== KIND.prose && kind !== KIND.call) continue
      left -= 1
      if (left === 0) return at
    }
    return null
  }
}

/** The result of a call is looked for among so many chunks behind it. */
const NEAR = 400

/**
 * When the live engine prunes what it sends: at the first request and whenever the cache has gone cold, and where results
 * go by their age alone, after every so many requests besides.
 */
export function pruneStep(walk: ReplayWalk, facts: PrunePolicyFacts): (call: number) => void {
  const { policy, rules } = facts
  if (rules.length === 0) return () => {}
  const pruning = new WalkPruning(walk, facts)
  const { everyIterations } = policy.summary.sliding
  let requests = 0
  return (call) => {
    requests += 1
    const gap = walk.shape.gap[call] as number
    const isCold = call === 0 || gap >= policy.pruning.cacheTtl.ttlMs
    const isRound = everyIterations > 0 && requests >= everyIterations && rules.includes('age')
    if (!isCold && !isRound) return
    pruning.run(rules, gap)
    requests = 0
  }
}
