import type { CompactionPlan, PlanChunk } from '../../core/compaction/plan'
import type { Policy } from '../../core/policy/policy'
import type { Category } from '../../core/tokens/category'
import { estimated } from '../../core/tokens/figure'
import { fingerprint } from '../read/fingerprint'
import type { WrittenSummary } from '../summary/write-summary'
import type { PlanSource } from './plan-session'

/** A summary that a model wrote and that has not been written to its transcript, with the plan that it is for. */
export type KeptSummary = {
  readonly version: 1
  /** The transcript, links followed. */
  readonly file: string
  /** When the model had answered, in milliseconds since the epoch. */
  readonly at: number
  /** What the plan was made from: fingerprints of the policy and of the entries, and how many those were. */
  readonly policy: string
  readonly entries: string
  readonly count: number
  readonly focus: string | null
  /** The entry that the conversation went on from; its place in the file. */
  readonly leaf: number
  readonly plan: CompactionPlan
  readonly summary: WrittenSummary
}

/** Where summaries are kept until they are in their transcripts; one for each transcript. */
export interface KeptSummaries {
  /** null when there is none, or none that can be read. @param file links followed */
  get(file: string): Promise<KeptSummary | null>
  /** Takes the place of the one before. */
  put(kept: KeptSummary): Promise<void>
  forget(file: string): Promise<void>
}

/** What a summary is asked for with. */
export type SummaryInputs = { readonly policy: Policy; readonly focus: string | null }

/** Makes what is kept. Credentials are covered: the file is of our making, and no transcript. */
export function keptSummary(
  source: PlanSource,
  { policy, focus }: SummaryInputs,
  made: Pick<KeptSummary, 'file' | 'at' | 'plan' | 'summary'>,
  mask: (text: string) => string,
): KeptSummary {
  const { facts } = source.session
  return {
    version: 1,
    ...made,
    summary: { ...made.summary, text: mask(made.summary.text) },
    policy: fingerprint(JSON.stringify(policy)),
    entries: entriesPrint(source, facts.length),
    count: facts.length,
    focus: focus === null ? null : mask(focus),
    leaf: source.branches.leaf,
  }
}

/**
 * The plan of a kept summary as the session is now, when it still fits it: same policy and focus, and the session
 * has only grown since. What came later stays, and is counted. null when it does not fit any more.
 */
export function offeredPlan(
  kept: KeptSummary | null,
  source: PlanSource,
  { policy, focus }: SummaryInputs,
  mask: (text: string) => string,
): CompactionPlan | null {
  if (kept === null || source.call !== 'next') return null
  if (kept.policy !== fingerprint(JSON.stringify(policy))) return null
  if (kept.focus !== (focus === null ? null : mask(focus))) return null
  if (source.session.facts.length < kept.count || entriesPrint(source, kept.count) !== kept.entries)
    return null
  const leaf = source.path.findIndex(({ fact }) => fact.seq === kept.leaf)
  const added = source.path.slice(leaf + 1)
  const isBounded = added.some(({ fact }) => fact.type === 'compaction' || fact.type === 'reset')
  return leaf < 0 || isBounded ? null : grown(kept, source)
}

/** Of all entries up to one, which they are and where they are. */
function entriesPrint({ session }: PlanSource, count: number): string {
  const places = session.facts.slice(0, count).map(({ id, offset, bytes }) => `${id} ${offset} ${bytes}`)
  return fingerprint(places.join('\n'))
}

function grown({ plan, leaf, at, summary }: KeptSummary, source: PlanSource): CompactionPlan {
  const added = source.context
    .filter(({ entry }) => entry.fact.seq > leaf)
    .map(({ entry: { fact }, tokens, byCategory }): PlanChunk => {
      const entryIds = fact.id === null ? [] : [fact.id]
      return {
        entryIds,
        seqs: [fact.seq],
        action: 'keep',
        rule: 'tail',
        tokens: Math.round(tokens),
        byCategory,
      }
    })
  const more = added.reduce((sum, { tokens }) => sum + tokens, 0)
  const withAdded = (categories: CompactionPlan['before']) => {
    const sums: { [C in Category]?: number } = { ...categories }
    for (const { byCategory } of added)
      for (const [category, tokens] of Object.entries(byCategory) as [Category, number][])
        sums[category] = (sums[category] ?? 0) + tokens
    return sums
  }
  const figure = (before: CompactionPlan['tokensBefore']) =>
    before.value === null || more === 0
      ? before
      : estimated(before.value + more, before.basis === 'estimated' ? before.errorPct : UNSURE_PCT)
  return {
    ...plan,
    tokensBefore: figure(plan.tokensBefore),
    tokensAfter: figure(plan.tokensAfter),
    before: withAdded(plan.before),
    after: withAdded(plan.after),
    chunks: [...plan.chunks, ...added],
    recordTokensBefore: plan.recordTokensBefore + more,
    cost: { ...plan.cost, calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
    warnings: [
      ...plan.warnings.filter(({ code }) => code !== 'kept-summary'),
      { code: 'kept-summary', message: offerText(summary.by, at) },
    ],
  }
}

/** Band of a sum of which a part was estimated. Percent. */
const UNSURE_PCT = 30

function offerText(by: string | null, at: number): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return `A summary by ${by ?? 'a model'} of ${when} UTC was paid for and could not be written. It is used, and no model is asked; another focus or policy asks anew.`
}
