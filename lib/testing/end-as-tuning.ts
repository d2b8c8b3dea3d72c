import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { ExperimentResult, TuneOutcome } from '../core/replay/experiment-result'
import { experimentRows } from '../db/commands/experiments'
import { openConnection } from '../db/open-connection'
import type { Json } from '../engine/jobs/job-ports'

/**
 * Makes an experiment that replayed the policy `everything`, and was kept, one that a tuning had ended so: it keeps fewer
 * of the newest tokens, and has a verdict that so few sessions would never give.
 */
export async function endAsTuning(
  databaseFile: string,
  experiment: string,
  verdict: TuneOutcome['picks'][number]['verdict'],
): Promise<void> {
  const connection = openConnection(databaseFile)
  try {
    const rows = experimentRows(connection)
    const row = rows.find(experiment)
    if (row?.outcome == null) throw new Error('it was kept a moment ago')
    const result = row.outcome.result as unknown as ExperimentResult
    const { compaction } = DEFAULT_POLICY
    const policy = { ...DEFAULT_POLICY, compaction: { ...compaction, keepRecentTokens: 8_000 } }
    const picks = (['safe', 'balanced'] as const).map((pick) => ({
      ...{ pick, policy, verdict, overLimit: false, ofOracle: 0.5, name: 'everything' },
      gain: { value: 0.12, low: 0.05, high: 0.2 },
    }))
    const tune = {
      split: { train: 40, test: 20, by: 'owner' as const },
      knobs: [],
      base: DEFAULT_POLICY,
      picks,
    }
    await rows.put({
      ...row,
      spec: { ...(row.spec as { [key: string]: Json }), kind: 'tune' },
      outcome: { ...row.outcome, result: { ...result, tune } as unknown as Json },
    })
  } finally {
    connection.close()
  }
}
