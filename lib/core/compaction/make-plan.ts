import { guardWarning, guardWindow } from '../budget/guard'
import { digestBudget } from '../summary/digest'
import { CATEGORIES, type CategoryTokens } from '../tokens/category'
import { estimated, UNKNOWN } from '../tokens/figure'
import type { Tokens } from '../units/units'
import { type ChosenCut, chooseCut } from './choose-cut'
import { addCategories, categoriesOf } from './known-groups'
import type { PlanChunk, PlanResult, PlanWarning, SummarySource } from './plan'
import { planChunks, sumChunks } from './plan-chunks'
import { planCost } from './plan-cost'
import type { PlanInput } from './plan-input'
import { planRequests } from './plan-requests'
import { planWithinShare, verbatimRoom } from './within-share'

/** A compaction that frees less than this share of the prompt is hardly worth its summary. */
const WORTH_FREEING = 0.1

/**
 * Plans a compaction: what stays word for word, what is summarised, pruned or left out, and what that costs. Pure and
 * deterministic; the same plan serves dry run, run and replay.
 */
export function makePlan(input: PlanInput): PlanResult {
  return planWithinShare(input, planOnce)
}

function planOnce(input: PlanInput): PlanResult {
  const { policy, window, path, total } = input
  if (policy.compaction.mode === 'off') return { kind: 'nothing', why: 'off', tokensBefore: total }
  const room = roomFor(input)
  const choice = chooseCut(path, { policy, keptBy: input.keptBy, room, manual: input.manual })
  if (choice.kind === 'nothing') return { ...choice, tokensBefore: total }
  const { cut } = choice
  const requests = planRequests(path, cut, { policy, window, total: input.recordTokensBefore })
  const checkpoint = usableCheckpoint(input)
  const decided = { ...input, checkpoint }
  // What is cut is not in the checkpoint: a digest of it is behind the checkpoint's text.
  const { gone: goneTokens, cut: uncovered, kept, oversized, pinned } = sumChunks(decided, cut, requests)
  let chunks: readonly PlanChunk[] | null = null
  const source: SummarySource = checkpoint === null ? input.source : 'checkpoint'
  const summaryTokens = Math.ceil(
    checkpoint === null
      ? input.summaryTokens(goneTokens)
      : checkpoint.tokens + (uncovered === 0 ? 0 : digestBudget(uncovered)),
  )
  const before = addCategories([input.fixed, categoriesOf(input.context)])
  const after = addCategories([kept, { summary: summaryTokens }])
  const tokensAfter =
    total.value === null ? UNKNOWN : estimated(total.value - goneTokens + summaryTokens, AFTER_ERROR)
  const cost = planCost({
    requests,
    path,
    policy,
    source,
    price: input.price,
    summaryTokens,
    cacheRead: input.cacheRead,
  })
  return {
    kind: 'plan',
    window,
    tokensBefore: total,
    tokensAfter,
    before,
    after,
    firstKeptEntryId: path[cut.firstKept]?.fact.id ?? '',
    // Thousands of chunks are made when somebody looks at them.
    get chunks() {
      chunks ??= planChunks(decided, cut, requests)
      return chunks
    },
    requests,
    summary: { source, tokens: summaryTokens },
    recordTokensBefore: input.recordTokensBefore,
    cost,
    warnings: warningsOf(input, cut, {
      goneTokens,
      summaryTokens,
      room,
      // A checkpoint has them in it, as far as it goes.
      oversized,
      pinned,
    }),
  }
}

/**
 * What may stay word for word: what the window leaves, and where the policy holds it, what its share of history leaves.
 */
function roomFor({ policy, window, fixed, context, summaryTokens }: PlanInput): number {
  return verbatimRoom(policy, window, sum(fixed), () =>
    Math.ceil(summaryTokens(context.reduce((tokens, entry) => tokens + entry.tokens, 0))),
  )
}

/** Band of what a context holds after a compaction: the summary's size is a guess, the rest is not. Percent. */
const AFTER_ERROR = 10

/** The checkpoint, if it covers as much of the context as the policy asks for. */
function usableCheckpoint({ checkpoint, policy, total, context }: PlanInput): PlanInput['checkpoint'] {
  if (checkpoint === null || total.value === null) return null
  const covered = context
    .filter(({ entry }) => entry.fact.seq <= checkpoint.uptoSeq)
    .reduce((tokens, entry) => tokens + entry.tokens, 0)
  return covered >= total.value * policy.summary.checkpoint.coverage ? checkpoint : null
}

function warningsOf(
  { policy, total, window, cacheRead, replayed }: PlanInput,
  cut: ChosenCut,
  sizes: { goneTokens: Tokens; summaryTokens: Tokens; room: number; oversized: number; pinned: number },
): PlanWarning[] {
  const warnings: PlanWarning[] = []
  const guard = guardWarning(guardWindow(policy, { tokens: window, uncapped: window }), window)
  if (guard !== null) warnings.push({ code: 'small-window', message: guard })
  const freed = sizes.goneTokens - sizes.summaryTokens
  if (replayed)
    warnings.push({
      code: 'replaces-checkpoint',
      message:
        'The provider has compacted this session on its own side and is sent its checkpoint. This plan takes the place of that: it looks at the full history, which is larger than what is sent now.',
    })
  if (cut.turnStart !== null)
    warnings.push({
      code: 'split-turn',
      message: 'The cut goes through a turn: its beginning is summarised by itself.',
    })
  if (cut.movedForPairing)
    warnings.push({
      code: 'moved-for-pairing',
      message: 'The cut is earlier, so that no result loses its call.',
    })
  if (total.value === null)
    warnings.push({
      code: 'unknown-total',
      message: 'The size of the context is unknown; only its parts are estimated.',
    })
  else {
    if (freed < total.value * WORTH_FREEING)
      warnings.push({ code: 'frees-little', message: 'It frees less than a tenth of the context.' })
    if (total.value - freed > window)
      warnings.push({ code: 'tail-too-large', message: 'What stays is still larger than the window.' })
  }
  if (sizes.oversized > 0)
    warnings.push({
      code: 'oversized',
      message: `${sizes.oversized} ${sizes.oversized === 1 ? 'message is' : 'messages are'} very large. Where a summary cannot hold ${sizes.oversized === 1 ? 'it, a note names it' : 'them, a note names each'}.`,
    })
  if (sizes.pinned > 0)
    warnings.push({
      code: 'pinned',
      message: `${sizes.pinned} ${sizes.pinned === 1 ? 'message is marked as important and leaves its place; it is kept' : 'messages are marked as important and leave their places; they are kept'} word for word in the summary.`,
    })
  if (cacheRead !== null && cacheRead > 0)
    warnings.push({
      code: 'cache-starts-over',
      message: "The provider's prompt cache starts over behind the system prompt.",
    })
  return warnings
}

function sum(tokens: CategoryTokens): number {
  return CATEGORIES.reduce((total, category) => total + (tokens[category] ?? 0), 0)
}
