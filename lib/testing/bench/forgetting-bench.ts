import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { PRESETS } from '../../core/policy/presets'
import { resolvePolicy } from '../../core/policy/resolve'
import type { ChunkMessage } from '../../core/pruning/context-chunks'
import { logisticScorer } from '../../core/relevance/logistic-scorer'
import type { Scorer } from '../../core/relevance/score'
import { seedScorer } from '../../core/relevance/seed-scorer'
import { addResults, prepareTrial, type TrialResult, trialDrops } from '../../core/replay/drop-trial'
import { trialChunks } from '../../core/replay/trial-chunks'
import { estimateUnits } from '../../core/tokens/estimate'
import { CORPUS } from '../corpus'
import { type CorpusSession, corpusSessions } from './corpus-sessions'
import { rarityOver } from './relevance/rarity'
import type { Bench, Measurement } from './report'

/** How long a message is taken to last: some transcripts have no times. */
const MESSAGE_MS = 60_000
/**
 * From so many tokens in the context on, passes are due: the corpus has no session that fills half of a large window.
 */
const TRIGGER = 10_000

/** What dropping by relevance saves on recorded sessions, and how much of what was needed later stays (W4, W6). */
export const forgettingBench: Bench = {
  name: 'forgetting',
  title: 'Forgetting: tokens saved, and later needs still met, on recorded sessions',
  async run({ log }) {
    if (CORPUS === null) {
      log('the corpus is not there: nothing is measured')
      return []
    }
    const sessions = corpusSessions(CORPUS)
    const chunks = sessions.map((session) => trialChunks(messagesOf(session)))
    const owners = [...new Set(sessions.map(({ owner }) => owner))]
    const textsOf = (owner: string) =>
      chunks.flatMap((own, i) => (sessions[i]?.owner === owner ? own.map(({ text }) => text) : []))
    const rarity = rarityOver(owners.map(textsOf))
    const memfas = resolvePolicy([{ level: 'preset', label: 'memfas', patch: PRESETS.memfas }]).policy
    const figures: Measurement[] = []
    for (const { name, scorer, cutoffs } of scorers(memfas)) {
      const prepared = chunks.map((own) => prepareTrial(own, scorer, rarity))
      for (const cutoff of cutoffs) {
        const policy = { ...memfas, relevance: { ...memfas.relevance, cutoff, keep: Math.max(0.7, cutoff) } }
        const result = addResults(prepared.map((trial) => trialDrops(trial, policy, TRIGGER)))
        if (figures.length === 0)
          log(
            `${sessions.length} sessions, ${result.calls} calls; the logistic scorer was fitted on some of them`,
          )
        figures.push(...figuresOf(`${name}, cut-off ${cutoff.toFixed(2)}`, result))
      }
    }
    return figures
  },
}

function scorers(policy: Policy): { name: string; scorer: Scorer; cutoffs: readonly number[] }[] {
  return [
    {
      name: 'the formula of memfas',
      scorer: seedScorer(policy.relevance),
      cutoffs: [0.1, 0.25, DEFAULT_POLICY.relevance.cutoff],
    },
    { name: 'logistic', scorer: logisticScorer(), cutoffs: [0.1, 0.2, 0.3] },
  ]
}

/** The aims are at least 20 % fewer tokens, and at least 95 % of later needs met; both are printed as they are. */
function figuresOf(
  what: string,
  { tokensAll, tokensSent, needs, longRange, ...counts }: TrialResult,
): Measurement[] {
  const saved = (1 - tokensSent / tokensAll) * 100
  const kept = retention(needs)
  const long = retention(longRange)
  const aims = [
    saved >= 20 ? '≥ 20 % fewer tokens reached' : '≥ 20 % fewer tokens not reached',
    kept.least >= 95 ? '≥ 95 % retention reached' : '≥ 95 % retention not reached',
  ]
  const asSummaries = (kept.most - kept.least).toFixed(1)
  return [
    {
      ...{ what: `${what}: fewer tokens`, value: saved, unit: '%', limit: null },
      note: `${counts.dropped} chunks dropped, ${counts.summarised} summarised; ${aims[0]}`,
    },
    {
      ...{ what: `${what}: needs met`, value: kept.least, unit: '%', limit: null },
      note: `and up to ${asSummaries} points by summaries; older than ten calls ${long.least.toFixed(1)} %; ${aims[1]}`,
    },
  ]
}

function retention({ all, lost, summarised }: TrialResult['needs']): { least: number; most: number } {
  if (all === 0) return { least: 100, most: 100 }
  return { least: (1 - (lost + summarised) / all) * 100, most: (1 - lost / all) * 100 }
}

function messagesOf({ messages }: CorpusSession): ChunkMessage[] {
  return messages.map((message, i) => {
    const written = message.calls.map(({ input }) => JSON.stringify(input)).join('\n')
    return { ...message, tokens: estimateUnits(message.text) + estimateUnits(written), at: i * MESSAGE_MS }
  })
}
