import { seededChance } from '../../findings/effect/seeded-chance'
import { PRESET_NAMES, PRESETS } from '../../policy/presets'
import { resolvePolicy } from '../../policy/resolve'
import type { SessionReplay } from '../replay-result'
import { savingGain, sumReplays } from '../sum-replays'
import { frontsOf, type Goals, ranked } from './pareto'
import { type Genes, genesOf, patchOf, TUNED_KNOBS, tunedPolicy } from './search-space'
import { sobolPoints } from './sobol'
import { type SplitSession, splitSessions, stratifiedSample } from './split-sessions'
import {
  type ChosenPolicy,
  type KnobEffect,
  type PickName,
  TUNE_STAGES,
  type TuneAsk,
  type TuneCandidate,
  type TunedPick,
  type TuneResult,
  type TuneScore,
  type TuneState,
  type TuneTask,
} from './tune-state'

/** Each stage of halving keeps one of so many, over so much of the sessions. */
const ETA = 3
const SHARES = { sample: 0.15, third: 0.45 } as const

/** Fewer sessions to be tested on say nothing of a gain. */
const LEAST_SESSIONS = 20

/** How far a change goes, as a share of the range of a knob; one in three goes further. */
const [SMALL_STEP, LARGE_STEP] = [0.08, 0.3]

/** The oracle that says how much there is to be saved. */
const ORACLE_ID = 'oracle-cost'

/** The beginning of a tuning: the sessions are split, and the first candidates made. */
export function beginTune(ask: TuneAsk, sessions: readonly SplitSession[]): TuneState {
  const points = sobolPoints(ask.points, TUNED_KNOBS.length, ask.seed).map(
    (genes): TuneCandidate => ({ genes }),
  )
  return {
    ask,
    sessions,
    split: splitSessions(sessions),
    stage: 'sample',
    candidates: [...namedPoints(ask), ...points],
    scores: [],
    chosen: [],
    knobs: [],
  }
}

/** The base and the presets, as points. */
function namedPoints({ base }: TuneAsk): TuneCandidate[] {
  const presets = PRESET_NAMES.map(
    (name) => resolvePolicy([{ level: 'preset', label: name, patch: PRESETS[name] }]).policy,
  )
  return [base, ...presets].map((policy) => ({ genes: genesOf(policy) }))
}

/** What is to be replayed in this stage: any of them in any order, by any number of workers. Empty: it is done. */
export function tuneTasks(state: TuneState): TuneTask[] {
  const { stage, candidates, split, sessions } = state
  if (stage === 'done') return []
  if (stage === 'test') {
    const tested: TuneCandidate[] = [
      { id: state.ask.current },
      { id: ORACLE_ID },
      ...state.chosen.map(({ genes }) => ({ genes })),
    ]
    return tested.map((candidate) => ({ candidate, sessions: split.test }))
  }
  const share = stage === 'sample' || stage === 'third' ? SHARES[stage] : stage === 'knobs' ? SHARES.third : 1
  const chosen = stratifiedSample(sessions, split.train, share)
  // What is behind the changes was replayed in the stage before.
  const fresh = candidates.slice(0, candidates.length - state.scores.length)
  return fresh.map((candidate) => ({ candidate, sessions: chosen }))
}

/**
 * The next stage, of what the tasks of this one came to, in their order. The scores of the test are taken by `tuneResult`.
 */
export function tuneNext(state: TuneState, scores: readonly TuneScore[]): TuneState {
  const { stage, candidates } = state
  const next = TUNE_STAGES[TUNE_STAGES.indexOf(stage) + 1] ?? 'done'
  if (stage === 'sample' || stage === 'third') {
    const kept = best(scores, Math.ceil(candidates.length / ETA), state.ask)
    return { ...state, stage: next, candidates: kept.flatMap((i) => candidates[i] ?? []), scores: [] }
  }
  if (stage === 'all') return { ...state, stage: next, ...withMutations(state, scores) }
  if (stage === 'around') {
    const all = [...scores, ...state.scores]
    const chosen = choose(state.ask, candidates, all)
    const middle = chosen.find(({ pick }) => pick === 'balanced')?.genes ?? []
    return { ...state, stage: next, chosen, candidates: oneByOne(middle), scores: [] }
  }
  if (stage === 'knobs')
    return { ...state, stage: next, knobs: effects(candidates, scores), candidates: [], scores: [] }
  return { ...state, stage: 'done' }
}

/** What a tuning says, of the replays of the tasks of its test, in their order. */
export function tuneResult(state: TuneState, replays: readonly (readonly SessionReplay[])[]): TuneResult {
  const [current = [], oracle = [], ...picks] = replays
  const [currentSum, oracleSum] = [sumReplays(current), sumReplays(oracle)]
  return {
    split: { train: state.split.train.length, test: state.split.test.length, by: state.split.by },
    picks: state.chosen.map((chosen, i) =>
      tested(chosen, picks[i] ?? [], current, oracleSum.saving?.value ?? 0),
    ),
    current: currentSum,
    oracle: oracleSum,
    knobs: state.knobs,
  }
}

function tested(
  chosen: ChosenPolicy,
  replays: readonly SessionReplay[],
  current: readonly SessionReplay[],
  oracle: number,
): TunedPick {
  const sum = sumReplays(replays)
  const gain = savingGain(replays, current)
  const few = replays.length < LEAST_SESSIONS
  const verdict =
    few || gain === null
      ? 'too few sessions'
      : gain.low > 0
        ? 'gain'
        : gain.high < 0
          ? 'loss'
          : 'no significant gain'
  return {
    ...chosen,
    tested: sum,
    gain,
    verdict,
    ofOracle: oracle > 0 ? (sum.saving?.value ?? 0) / oracle : null,
  }
}

/** Net saving, long-range recall, and few rewrites; what breaks a limit comes behind all that does not. */
function goalsOf(score: TuneScore, { mostLost }: TuneAsk): Goals {
  const over = Math.max(0, lostOf(score) - mostLost) + (score.overfull > 0 ? 1 : 0)
  return over > 0
    ? [
        savingOf(score) - over * PENALTY,
        longRecallOf(score) - over * PENALTY,
        -rewritesOf(score) - over * PENALTY,
      ]
    : [savingOf(score), longRecallOf(score), -rewritesOf(score)]
}

/** A limit that is broken by a hundredth costs as much as ten hundredths of any goal. */
const PENALTY = 10

function savingOf({ costAll, costSent }: TuneScore): number {
  return costAll === 0 ? 0 : 1 - costSent / costAll
}

function longRecallOf({ longAll, longMet }: TuneScore): number {
  return longAll === 0 ? 1 : longMet / longAll
}

function lostOf({ needs, lost }: TuneScore): number {
  return needs === 0 ? 0 : lost / needs
}

function rewritesOf({ rewrites, calls }: TuneScore): number {
  return calls === 0 ? 0 : rewrites / calls
}

function best(scores: readonly TuneScore[], count: number, ask: TuneAsk): number[] {
  return ranked(scores.map((score) => goalsOf(score, ask))).slice(0, count)
}

/** Changes of those at the front, and behind them those themselves with what they came to. */
function withMutations(
  { candidates, ask }: TuneState,
  scores: readonly TuneScore[],
): Pick<TuneState, 'candidates' | 'scores'> {
  const order = best(scores, candidates.length, ask)
  const front = frontsOf(scores.map((score) => goalsOf(score, ask)))[0] ?? []
  const parents = order.filter((i) => front.includes(i)).flatMap((i) => genesAt(candidates, i) ?? [])
  const chance = seededChance(`${ask.seed} mutations`)
  const changed = Array.from({ length: parents.length === 0 ? 0 : ask.mutations }, (_, k): TuneCandidate => {
    return { genes: mutated(parents[k % parents.length] ?? [], chance) }
  })
  return { candidates: [...changed, ...candidates], scores }
}

function genesAt(candidates: readonly TuneCandidate[], i: number): [Genes] | null {
  const candidate = candidates[i]
  return candidate !== undefined && 'genes' in candidate ? [candidate.genes] : null
}

/** One knob or two, each by a small step or a larger one; a switch is thrown. */
function mutated(genes: Genes, chance: () => number): Genes {
  const changed = [...genes]
  for (let left = chance() < 0.5 ? 1 : 2; left > 0; left--) {
    const at = Math.floor(chance() * changed.length)
    const step = (chance() * 2 - 1) * (chance() < 1 / 3 ? LARGE_STEP : SMALL_STEP)
    const value = changed[at] ?? 0
    const isSwitch = TUNED_KNOBS[at]?.scale === 'switch'
    changed[at] = isSwitch ? (value + 0.5) % 1 : Math.min(0.999_999, Math.max(0, value + step))
  }
  return changed
}

const PICKS: readonly PickName[] = ['safe', 'balanced', 'cheap']

/** What the safe pick keeps, where anything that was tried does: recall of all needs, and of those older than ten calls. */
const SAFE = { recall: 0.995, longRecall: 0.98 } as const

/**
 * Three of those that were tried: the one that saves most among those that miss next to nothing, the knee of saving and
 * long-range recall (farthest from the line between its two ends), and the one that saves most within the limit.
 */
function choose(
  ask: TuneAsk,
  candidates: readonly TuneCandidate[],
  scores: readonly TuneScore[],
): ChosenPolicy[] {
  const saving = scores.map(savingOf)
  const recall = scores.map(longRecallOf)
  const [x, y] = [(i: number) => saving[i] ?? 0, (i: number) => recall[i] ?? 0]
  const all = scores.flatMap((score, i) => (isWithin(score, ask) ? [i] : []))
  const overLimit = all.length === 0
  const among = overLimit ? best(scores, 1, ask) : all
  const front = (frontsOf(among.map((i) => [x(i), y(i)]))[0] ?? []).flatMap((k) => among[k] ?? [])
  const bySaving = front.toSorted((a, b) => x(a) - x(b) || a - b)
  const [first, cheap] = [bySaving[0], bySaving.at(-1)]
  if (first === undefined || cheap === undefined) return []
  const [dx, dy] = [x(cheap) - x(first), y(cheap) - y(first)]
  const height = (i: number) => (dx === 0 || dy === 0 ? 0 : (x(i) - x(first)) / dx - (y(i) - y(first)) / dy)
  const balanced = bySaving.reduce((top, i) => (height(i) > height(top) ? i : top), first)
  const safe = bySaving.findLast((i) => {
    const { needs, met } = scores[i] as TuneScore
    return y(i) >= SAFE.longRecall && (needs === 0 || met / needs >= SAFE.recall)
  })
  return [safe ?? first, balanced, cheap].flatMap((i, k) => {
    const genes = genesAt(candidates, i)?.[0]
    const [pick, learned] = [PICKS[k], scores[i]]
    if (genes === undefined || pick === undefined || learned === undefined) return []
    return [{ pick, genes, policy: tunedPolicy(ask.base, genes), learned, overLimit }]
  })
}

function isWithin(score: TuneScore, { mostLost }: TuneAsk): boolean {
  return lostOf(score) <= mostLost && score.overfull === 0
}

/** Each knob by itself to either side. */
function oneByOne(genes: Genes): TuneCandidate[] {
  return TUNED_KNOBS.flatMap(({ scale }, at): TuneCandidate[] => {
    const sides =
      scale === 'switch'
        ? [0.25, 0.75]
        : [Math.max(0, (genes[at] ?? 0) - KNOB_STEP), Math.min(0.999_999, (genes[at] ?? 0) + KNOB_STEP)]
    return sides.map((value) => ({ genes: genes.with(at, value) }))
  })
}

const KNOB_STEP = 0.2

function effects(candidates: readonly TuneCandidate[], scores: readonly TuneScore[]): KnobEffect[] {
  return TUNED_KNOBS.map(({ path }, at) => ({
    path,
    sides: [at * 2, at * 2 + 1].flatMap((i) => {
      const genes = genesAt(candidates, i)?.[0]
      const score = scores[i]
      if (genes === undefined || score === undefined) return []
      return [{ value: knobValue(genes, path), saving: savingOf(score), longRecall: longRecallOf(score) }]
    }),
  }))
}

function knobValue(genes: Genes, path: string): number | boolean {
  const value = path
    .split('.')
    .reduce<unknown>((tree, key) => (tree as { [key: string]: unknown })[key], patchOf(genes))
  return typeof value === 'boolean' ? value : Number(value)
}
