import { runtimeContextTokens } from '../../core/compaction/context-tokens'
import { makePlan } from '../../core/compaction/make-plan'
import type { CompactionPlan, PlanResult } from '../../core/compaction/plan'
import type { PlanInput } from '../../core/compaction/plan-input'
import { runtimeTokens } from '../../core/compaction/runtime-size'
import type { Policy } from '../../core/policy/policy'
import { isMarkedEntry } from '../../core/relevance/importance'
import { FIXED_CATEGORIES } from '../../core/tokens/category'
import { type EntryTokens, frameEntries } from '../../core/tokens/frame-entries'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { JsonObject } from '../../core/transcript/json'
import type { WeighEntry } from '../../core/transcript/reading/read-content'
import { factsOf } from './transcript'

/** As OpenClaw's sessions are read for plans. */
const weigh: WeighEntry = (entry, { lengthOf, whole }) => ({
  size: runtimeTokens(entry, 'openclaw', lengthOf),
  important: isMarkedEntry(entry, whole),
})

/** Plans a compaction of a transcript's text at its end, as its next call would find it. */
export function compactionPlan(
  text: string,
  policy: Policy,
  more: Partial<PlanInput> = {},
): { readonly plan: PlanResult; readonly context: readonly EntryTokens[]; readonly input: PlanInput } {
  const facts = factsOf(text, weigh)
  const fold = SessionFold.start({ runtime: 'openclaw', hints: { index: null }, report: null })
  for (const fact of facts) fold.push(fact)
  const frame = fold.next()
  const branches = Branches.of(facts)
  const lines = text.split('\n').filter((line) => line !== '')
  const sized = (seq: number) => ({
    fact: branches.facts[seq] as EntryFact,
    size: runtimeTokens(JSON.parse(lines[seq] ?? '{}') as JsonObject, 'openclaw'),
  })
  const path = branches.path(branches.leaf)
  const context = frameEntries(contextAt(branches, branches.leaf, 'openclaw'), frame, 'openclaw')
  const fixed = Object.fromEntries(
    [...FIXED_CATEGORIES, 'residual' as const].map((category) => [category, frame.categories[category] ?? 0]),
  )
  const input: PlanInput = {
    policy,
    window: frame.window.tokens,
    path: path.map(sized),
    keptBy: (boundary) => branches.firstKept(path, boundary),
    context,
    fixed,
    total: frame.total,
    recordTokensBefore: runtimeContextTokens(context.map(({ entry }) => sized(entry.fact.seq))),
    manual: false,
    source: 'digest',
    checkpoint: null,
    summaryTokens: (tokens) => Math.min(2_000, tokens / 10),
    price: null,
    cacheRead: null,
    ...more,
  }
  return { plan: makePlan(input), context, input }
}

/** The transcript with the record of a plan at its end. */
export function withRecord(text: string, plan: CompactionPlan): string {
  const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '{}') as JsonObject
  const record = {
    type: 'compaction',
    id: 'record',
    parentId: last.id,
    timestamp: '2026-11-01T12:00:00.000Z',
    summary: 'What happened before.',
    firstKeptEntryId: plan.firstKeptEntryId,
    tokensBefore: plan.recordTokensBefore,
  }
  return `${text.trimEnd()}\n${JSON.stringify(record)}\n`
}
