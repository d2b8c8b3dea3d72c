import { DEFAULT_POLICY } from '../../policy/default-policy'
import type { Policy } from '../../policy/policy'
import { digestBudget } from '../../summary/digest'
import type { Tokens } from '../../units/units'
import type { ReplayPolicy } from '../replay-policy'
import type { ReplayWalk } from '../walk/replay-walk'
import { type CompactAt, compactNow, compactStep } from './compact-at'

/** A policy that cuts as the runtimes do and keeps so many of the newest tokens. */
function keeping(keepRecentTokens: Tokens): Policy {
  const { compaction, summary } = DEFAULT_POLICY
  return {
    ...DEFAULT_POLICY,
    compaction: { ...compaction, keepRecentTokens, withinShare: false },
    summary: { ...summary, rolling: { ...summary.rolling, enabled: false } },
  }
}

const PLAIN: Omit<CompactAt, 'line' | 'policy'> = {
  summary: 'digest',
  request: 'none',
  summaryTokens: digestBudget,
  carries: 'ask',
  worth: 0,
}

/** Half of the window as OpenClaw once compacted, with a summary that keeps nothing: what summaries are worth at least. */
export const HALF_EMPTY: ReplayPolicy = {
  id: 'half-window-empty',
  label: 'Compact at half the window, empty summary',
  about: 'At 50 % of the window all but the newest 20,000 tokens go, and nothing takes their place.',
  source: 'the lower bound of every summary',
  family: 'compact',
  start: (walk) =>
    compactStep(walk, {
      ...PLAIN,
      line: (window) => window * 0.5,
      policy: keeping(20_000),
      summary: 'empty',
      summaryTokens: () => 0,
    }),
}

/** The same with our digest. */
export const HALF_DIGEST: ReplayPolicy = {
  id: 'half-window-digest',
  label: 'Compact at half the window, digest',
  about:
    'At 50 % of the window all but the newest 20,000 tokens become a digest, for which no model is asked.',
  source: 'the digest of this project at the line of early OpenClaw releases',
  family: 'compact',
  start: (walk) => compactStep(walk, { ...PLAIN, line: (window) => window * 0.5, policy: keeping(20_000) }),
}

/** Anthropic's compaction on its own side. */
export const ANTHROPIC_COMPACT: ReplayPolicy = {
  id: 'anthropic-compact',
  label: 'Anthropic: compaction by the provider',
  about:
    'From a prompt of 150,000 tokens on the provider summarises all of it, with the prompt that it has in its cache.',
  source: 'Anthropic’s documentation (`compact_20260112`: trigger 150,000)',
  family: 'runtime',
  start: (walk) =>
    compactStep(walk, {
      ...PLAIN,
      line: () => 150_000,
      policy: keeping(0),
      request: 'warm',
      carries: 'nothing',
    }),
}

/** Codex's way with what users said: all of it up to 64,000 tokens. */
export const RETAINED_USERS: ReplayPolicy = {
  id: 'codex-retained-users',
  label: 'Codex: users’ messages retained',
  about: 'At 80 % of the window everything is summarised but what users said, up to 64,000 tokens of it.',
  source: 'Codex’s published source, as its remote compaction retains messages',
  family: 'runtime',
  start: (walk) =>
    compactStep(walk, {
      ...PLAIN,
      line: (window) => window * 0.8,
      policy: keeping(0),
      request: 'warm',
      carries: { usersOf: 64_000 },
    }),
}

/** lossless-claw: a threshold, a fresh tail, and summaries of leaves that are kept in a tree. */
const LOSSLESS = { threshold: 0.75, tail: 24_000, leaf: 20_000, leafSummary: 2_400 } as const

/** Its tail and threshold; leaf summaries together grow with what they replace, an eighth of it. */
export const LOSSLESS_TAIL: ReplayPolicy = {
  id: 'lossless-claw',
  label: 'lossless-claw',
  about: `At 75 % of the window all but a fresh tail of ${LOSSLESS.tail} tokens becomes leaf summaries: ${LOSSLESS.leafSummary} tokens for each ${LOSSLESS.leaf}, condensed to 2,000 from 15,000 on. What a model would write is taken to hold what our digest of that size holds.`,
  source: 'the defaults of lossless-claw 0.15',
  family: 'compact',
  start: (walk) =>
    compactStep(walk, {
      ...PLAIN,
      line: (window) => window * LOSSLESS.threshold,
      policy: keeping(LOSSLESS.tail),
      request: 'cold',
      summaryTokens: leafTokens,
    }),
}

/** Leaves beyond this are condensed. Tokens. */
const [CONDENSE_FROM, CONDENSED] = [15_000, 2_000]

function leafTokens(gone: Tokens): Tokens {
  const leaves = Math.ceil(gone / LOSSLESS.leaf) * LOSSLESS.leafSummary
  return leaves <= CONDENSE_FROM ? Math.min(leaves, gone) : CONDENSED + (leaves % CONDENSE_FROM)
}

/** Acts when what can be freed is so many times what would stay. */
const RECLAIM = 1.5
const RECLAIM_TAIL = 20_000

/** Compacts when it pays: what goes over what stays reaches a ratio, however full the window is. */
export const RECLAIM_RATIO: ReplayPolicy = {
  id: 'reclaim-ratio',
  label: 'Reclaim ratio',
  about: `Compacts to a digest and the newest ${RECLAIM_TAIL} tokens as soon as what that frees is ${RECLAIM} times what stays, with all that is before the conversation.`,
  source: 'a trigger that garbage collectors use; proposed for agents by several authors',
  family: 'compact',
  start: (walk) => reclaimStep(walk),
}

function reclaimStep(walk: ReplayWalk) {
  const how: CompactAt = { ...PLAIN, line: () => 0, policy: keeping(RECLAIM_TAIL) }
  // What an attempt could not free is not tried again before as much has come in.
  let next = 0
  return () => {
    const freed = walk.live - RECLAIM_TAIL - digestBudget(walk.live)
    if (walk.live < next || freed < RECLAIM * (walk.prompt - freed)) return
    compactNow(walk, how)
    next = walk.live + RECLAIM_TAIL / 2
  }
}
