import { policyWindow } from '../../core/budget/guard'
import { runtimeContextTokens } from '../../core/compaction/context-tokens'
import { makePlan } from '../../core/compaction/make-plan'
import type { PlanResult } from '../../core/compaction/plan'
import type { PlanPrice } from '../../core/compaction/plan-cost'
import type { PlanInput } from '../../core/compaction/plan-input'
import { runtimeTokens } from '../../core/compaction/runtime-size'
import type { SizedEntry } from '../../core/compaction/sized-entry'
import type { Policy } from '../../core/policy/policy'
import { digestBudget } from '../../core/summary/digest'
import { CATEGORIES, type Category, FIXED_CATEGORIES } from '../../core/tokens/category'
import { estimated, type Figure } from '../../core/tokens/figure'
import type { Frame } from '../../core/tokens/frame'
import { type EntryTokens, frameEntries } from '../../core/tokens/frame-entries'
import { Branches } from '../../core/transcript/branches'
import { callEntries, contextAt, contextOfCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { SessionFold } from '../../core/transcript/fold/fold'
import { parseObject } from '../../core/transcript/json'
import { frameSetupOf } from '../read/frame-setup'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { readSources } from '../read/read-sources'
import { runtimeKindOf } from '../read/runtime-kind'

/** A session at one call, read so far that plans can be made again and again without reading more. */
export type PlanSource = {
  readonly session: InspectedSession
  /** 1-based number of the call at which the plan is, or the one that would be made now. */
  readonly call: number | 'next'
  readonly frame: Frame
  readonly branches: Branches
  /** From the root to the leaf. */
  readonly path: readonly SizedEntry[]
  readonly context: readonly EntryTokens[]
  /**
   * Calls are sent a provider's checkpoint in place of what came before it; `context` is the full history nevertheless.
   */
  readonly replayed: boolean
  readonly recordTokensBefore: number
  /** Index in the path of the first entry that its last boundary keeps; negative when it keeps none. */
  readonly lastKept: number
}

export type PlanChoice = {
  readonly policy: Policy
  /** Asked for by hand, not by a threshold. */
  readonly manual: boolean
  readonly source: 'digest' | 'model'
  readonly price: PlanPrice | null
  readonly checkpoint: PlanInput['checkpoint']
}

/**
 * Reads what plans of a session need at a call: the sizes of the entries of its path, as the runtime counts them.
 * null when there is no such call.
 * @throws SourceProblem when entries are not where they were read
 */
export async function openPlanSource(
  reader: StoreReader,
  session: InspectedSession,
  call: number | 'last' | 'next',
): Promise<PlanSource | null> {
  const { facts, frames, next, store, transcript } = session
  const branches = Branches.of(facts)
  const number = call === 'last' ? frames.length : call
  const asSent = number === 'next' ? next : frames[number - 1]
  const answer = number === 'next' ? null : (callEntries(facts)[number - 1] ?? null)
  if (asSent === undefined || (number !== 'next' && answer === null)) return null
  const leaf = answer === null ? branches.leaf : branches.parentOf(answer)
  const seqs = branches.path(leaf)
  const onPath = seqs.flatMap((seq) => branches.facts[seq] ?? [])
  const sizes = await sizesOf(reader, session, onPath)
  const sized = (fact: EntryFact): SizedEntry => ({ fact, size: sizes.get(fact.seq) ?? 0 })
  // A compaction takes the place of what the provider compacted too, so that it has to know all of it.
  const full = fullFrame(session, branches, answer)
  const frame = full ?? asSent
  const context = frameEntries(contextAt(branches, leaf, store.kind, 'full'), frame, store.kind)
  const boundary = onPath.findLastIndex(({ type }) => type === 'compaction' || type === 'reset')
  const sent = context.map(({ entry }) => sized(entry.fact))
  // pi takes usage from before a boundary for what it is not; OpenClaw does not.
  const fresh = store.kind !== 'openclaw' ? 0 : freshFrom(sent, onPath)
  return {
    session: { ...session, transcript },
    call: number,
    frame,
    branches,
    path: onPath.map(sized),
    context,
    replayed: full !== null,
    recordTokensBefore: runtimeContextTokens(sent, fresh),
    lastKept: boundary < 0 ? -1 : branches.firstKept(seqs, boundary),
  }
}

/** The frame of a call as if its provider had compacted nothing; null where that is the frame that it has. */
function fullFrame(
  { facts, store, transcript }: InspectedSession,
  branches: Branches,
  answer: number | null,
): Frame | null {
  if (!branches.hasCheckpoints) return null
  const sent =
    answer === null
      ? contextAt(branches, branches.leaf, store.kind)
      : contextOfCall(branches, answer, store.kind)
  if (!sent[0]?.replayed) return null
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  for (const fact of answer === null ? facts : facts.slice(0, answer)) fold.push(fact)
  return fold.next('full')
}

const BESIDE: readonly Category[] = [...FIXED_CATEGORIES, 'residual']

/** Whether a category's tokens are those of entries; skills and files are where a runtime injects them as such. */
function isOfEntries(category: Category, context: PlanSource['context']): boolean {
  if (!BESIDE.includes(category)) return true
  return context.some(({ byCategory }) => category in byCategory)
}

/** Plans a compaction of a session as it was read. Pure from here on: knobs may move, nothing is read again. */
export function planSession(source: PlanSource, choice: PlanChoice): PlanResult {
  const { frame, path, context } = source
  const { policy } = choice
  const fixed: { [C in Category]?: number } = {}
  for (const category of CATEGORIES) {
    const tokens = frame.categories[category]
    const ofEntries = isOfEntries(category, context)
    if (!ofEntries && tokens !== undefined && tokens !== 0) fixed[category] = tokens
  }
  return makePlan({
    policy,
    window: planWindow(source, policy),
    path,
    // Plans ask for the last boundary only.
    keptBy: () => source.lastKept,
    context,
    fixed,
    total: totalOf(frame, context, fixed),
    recordTokensBefore: source.recordTokensBefore,
    manual: choice.manual,
    source: choice.source,
    checkpoint: choice.checkpoint,
    summaryTokens: (summarised) => expectedSummary(summarised, policy, choice.source),
    price: choice.price,
    cacheRead: cacheReadOf(source),
    replayed: source.replayed,
  })
}

/**
 * What the last call before the plan had from the provider's cache: a call that is still to be made has nothing yet.
 */
function cacheReadOf({ call, frame, session }: PlanSource): number | null {
  return call === 'next' ? (session.frames.at(-1)?.cacheRead ?? null) : frame.cacheRead
}

/** As much of a session and a frame as says their window. */
type WindowPlace = {
  readonly session: Pick<InspectedSession, 'store' | 'transcript'>
  readonly frame: Pick<Frame, 'window' | 'model'>
}

/**
 * The window that a policy names for the session, else the one that its frame was drawn in; where the provider cuts
 * prompts, what it cuts them to.
 */
export function planWindow({ session, frame }: WindowPlace, policy: Policy): number {
  if (frame.window.source === 'cut') return frame.window.tokens
  const { hints } = frameSetupOf(session.store, session.transcript)
  const named = policyWindow(policy, hints, frame.model)
  return named.source === 'policy' || named.source === 'cap' ? named.tokens : frame.window.tokens
}

/** The frame's total; where it is unknown, the sum of what is estimated. */
function totalOf(
  frame: Frame,
  context: readonly EntryTokens[],
  fixed: { readonly [C in Category]?: number },
): Figure {
  if (frame.total.value !== null) return frame.total
  const entries = context.reduce((sum, { tokens }) => sum + tokens, 0)
  const before = Object.values(fixed).reduce((sum, tokens) => sum + tokens, 0)
  return estimated(entries + before, frame.errorPct ?? UNSURE)
}

/** Band of a total that rests on nothing reported. Percent. */
const UNSURE = 30

/** How long a summary is expected to be: digests have a budget, models write about a tenth, up to their limit. */
function expectedSummary(summarised: number, policy: Policy, source: 'digest' | 'model'): number {
  const { enabled, maxTokens } = policy.summary.rolling
  const most = enabled ? maxTokens : Number.POSITIVE_INFINITY
  const expected = source === 'digest' ? digestBudget(summarised) : Math.max(256, summarised * 0.1)
  return Math.min(most, expected, MOST_SUMMARY)
}

/** 16,000 characters, as runtimes store at most, at four to a token. */
const MOST_SUMMARY = 4_000

/** Sizes by sequence number. Entries are read again only where the session was read without them. */
async function sizesOf(
  reader: StoreReader,
  { store, transcript }: InspectedSession,
  facts: readonly EntryFact[],
): Promise<Map<number, number>> {
  const sizes = new Map<number, number>()
  const wanted: EntryFact[] = []
  for (const fact of facts)
    if (fact.size !== undefined) sizes.set(fact.seq, fact.size)
    else if (SIZED_TYPES.has(fact.type)) wanted.push(fact)
  wanted.sort((a, b) => a.seq - b.seq)
  const kind = runtimeKindOf(store)
  let i = 0
  for await (const text of readSources(reader, store, transcript, wanted)) {
    const fact = wanted[i]
    i += 1
    const entry = parseObject(text)
    if (fact !== undefined && entry !== null) sizes.set(fact.seq, runtimeTokens(entry, kind))
  }
  return sizes
}

const SIZED_TYPES = new Set(['message', 'custom_message', 'branch_summary', 'compaction'])

/** Index of the first entry of a context that came after the last boundary on its path. */
function freshFrom(context: readonly SizedEntry[], path: readonly EntryFact[]): number {
  const boundary = path.findLast(({ type }) => type === 'compaction' || type === 'reset')
  if (boundary === undefined) return 0
  const first = context.findIndex(({ fact }) => fact.seq > boundary.seq)
  return first < 0 ? context.length : first
}
