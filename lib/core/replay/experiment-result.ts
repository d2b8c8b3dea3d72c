import * as z from 'zod'
import type { Policy } from '../policy/policy'
import type { Milliseconds } from '../units/units'
import type { Regret, ReplaySum } from './replay-result'
import type { CacheFit, ExcludedNeeds } from './replay-session'
import type { TunedPick, TuneResult } from './tune/tune-state'

/** A session as an experiment replayed it. Plain JSON. */
export type ReplayedSession = {
  readonly transcriptId: string
  readonly storeId: string
  readonly sessionId: string
  readonly agent: string | null
  readonly title: string
  readonly startedAt: Milliseconds | null
  readonly calls: number
  /** Needs that count, and their weight. */
  readonly needs: number
  readonly weight: number
  readonly fit: CacheFit
  readonly excluded: ExcludedNeeds
  /** Entries of its path that were left out because there are too many. */
  readonly passedOver: number
}

/** What a policy is among those that are compared. */
const POLICY_ROLES = ['policy', 'oracle', 'recorded', 'all', 'random', 'in-force', 'tuned'] as const
export type PolicyRole = (typeof POLICY_ROLES)[number]

/** A policy over the sessions of an experiment. */
export type ReplayedPolicy = {
  readonly name: string
  readonly label: string
  readonly about: string
  readonly role: PolicyRole
  readonly sum: ReplaySum
  /** The dearest needs that it left unmet, the heaviest first. Empty for baselines that are no choice. */
  readonly regrets: readonly Regret[]
  /** All needs that it left unmet. */
  readonly unmet: number
}

/** How sure a need of a kind is, by the compactions that were recorded in the sessions. */
export type NeedPrecision = {
  readonly kind: string
  readonly value: number
  /** Matches that were shown again before they were written, and those that were not. */
  readonly shown: number
  readonly unseen: number
}

/** What needs were weighed by among the sessions (lib/docs/replay.md#needs). */
export type WeighedBy = {
  /** Whose sessions they are: the more of them have a span, the less it weighs. */
  readonly owners: number
  /** Spans that more than one has. */
  readonly sharedSpans: number
  /** Share of all spans that was counted; the others count as rare. */
  readonly countedSpans: number
  /** Kinds whose precision recorded compactions tell; all others have the prior. */
  readonly precision: readonly NeedPrecision[]
}

/** What came of an experiment. Plain JSON; nothing in it depends on the moment or on how many threads worked. */
export type ExperimentResult = {
  /** Of what is prepared, and of the list of prices. */
  readonly versions: { readonly replay: number; readonly prices: string }
  /** null: a version that did not weigh needs among sessions made it. */
  readonly weighing: WeighedBy | null
  readonly sessions: readonly ReplayedSession[]
  /** Sessions that could not be replayed, and why. */
  readonly problems: readonly {
    readonly transcriptId: string
    readonly title: string
    readonly problem: string
  }[]
  readonly policies: readonly ReplayedPolicy[]
  /** What a tuner found; null: policies were compared alone. */
  readonly tune: TuneOutcome | null
}

/** What a tuner found, measured on sessions that it did not learn on. */
export type TuneOutcome = Pick<TuneResult, 'split' | 'knobs'> & {
  /** The policy that candidates are changes of. */
  readonly base: Policy
  readonly picks: readonly (Pick<
    TunedPick,
    'pick' | 'policy' | 'overLimit' | 'gain' | 'verdict' | 'ofOracle'
  > & {
    /** Its name among the policies. */
    readonly name: string
  })[]
}

const share = z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable()
const money = z.number().nullable()
/** Values were checked when the experiment was made; it is shown, and tried as a draft that is checked again. */
const policy = z.custom<Policy>((value) => typeof value === 'object' && value !== null)
const tune = z.object({
  split: z.object({ train: z.number(), test: z.number(), by: z.enum(['owner', 'time']) }),
  knobs: z.array(
    z.object({
      path: z.string(),
      sides: z.array(
        z.object({
          ...{ value: z.union([z.number(), z.boolean()]), saving: z.number(), longRecall: z.number() },
        }),
      ),
    }),
  ),
  base: policy,
  picks: z.array(
    z.object({
      ...{ pick: z.enum(['safe', 'balanced', 'cheap']), policy, overLimit: z.boolean(), gain: share },
      verdict: z.enum(['gain', 'loss', 'no significant gain', 'too few sessions']),
      ...{ ofOracle: z.number().nullable(), name: z.string() },
    }),
  ),
})

/** How a result is read that was kept: what another version kept in another form is none. */
export const EXPERIMENT_RESULT: z.ZodType<ExperimentResult> = z.object({
  versions: z.object({ replay: z.number(), prices: z.string() }),
  weighing: z
    .object({
      ...{ owners: z.number(), sharedSpans: z.number(), countedSpans: z.number() },
      precision: z.array(
        z.object({ ...{ kind: z.string(), value: z.number(), shown: z.number(), unseen: z.number() } }),
      ),
    })
    .nullable()
    .default(null),
  sessions: z.array(
    z.object({
      ...{ transcriptId: z.string(), storeId: z.string(), sessionId: z.string(), title: z.string() },
      ...{ agent: z.string().nullable(), startedAt: z.number().nullable() },
      ...{ calls: z.number(), needs: z.number(), weight: z.number(), passedOver: z.number() },
      fit: z.object({
        ...{ matched: z.number(), compared: z.number() },
        ...{ money: z.number().nullable(), rewrites: z.number().nullable() },
        // Experiments that were kept before cold starts were known have none.
        ...{ moneyByTimes: z.number().nullable().default(null), coldStarts: z.array(z.number()).default([]) },
      }),
      excluded: z.object({
        ...{ quoted: z.number(), reread: z.number(), encrypted: z.number(), repeated: z.number() },
        ...{ unseen: z.number(), refused: z.number() },
      }),
    }),
  ),
  problems: z.array(z.object({ transcriptId: z.string(), title: z.string(), problem: z.string() })),
  policies: z.array(
    z.object({
      ...{ name: z.string(), label: z.string(), about: z.string(), unmet: z.number() },
      role: z.enum(POLICY_ROLES),
      sum: z.object({
        ...{ sessions: z.number(), calls: z.number(), needs: z.number() },
        ...{ saving: share, savingBeforeMisses: share, tokensSaved: share },
        ...{ recall: share, longRecall: share, rulesKept: share, lost: share },
        ...{ usdAll: money, usdSent: money, missTokens: z.number() },
        ...{ rewrites: z.number(), compactions: z.number(), overfull: z.number(), largestShare: z.number() },
      }),
      regrets: z.array(
        z.object({
          ...{ transcriptId: z.string(), need: z.number(), call: z.number(), text: z.string() },
          ...{ kind: z.string(), weight: z.number(), verdict: z.enum(['pointer', 'lost']) },
          ...{ chunk: z.number(), droppedBefore: z.number(), rule: z.string() },
          ...{ entry: z.number(), from: z.number(), to: z.number(), callEntry: z.number() },
        }),
      ),
    }),
  ),
  tune: tune.nullable(),
})
