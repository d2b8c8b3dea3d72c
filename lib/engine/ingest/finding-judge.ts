import type { ExaminedSession } from '../../core/findings/detector'
import { NO_PRICES, type OwnPrices } from '../../core/tokens/own-prices'
import type { SessionTotals } from '../../core/transcript/fold/fold-step'
import type { Milliseconds } from '../../core/units/units'
import type { FoundStore, FoundTranscript } from '../read/ports'

/** What an import judges sessions by. */
export type FindingJudge = {
  /** The operator's own. */
  readonly prices: OwnPrices
  /** Where the runtime of a session compacts. */
  readonly linesOf: (
    store: FoundStore,
    transcript: FoundTranscript,
    totals: Pick<SessionTotals, 'provider' | 'model' | 'updatedAt' | 'window'>,
  ) => ExaminedSession['lineOf']
  readonly now: () => Milliseconds
}

/** Of an import that knows nothing of runtimes and their lines. */
export const PLAIN_JUDGE: FindingJudge = { prices: NO_PRICES, linesOf: () => () => null, now: Date.now }

/** States of transcripts that repeat what another one holds: what is found in them is found there. */
const REPEATING: readonly string[] = ['backup', 'checkpoint', 'imported']

/** Whether findings of a transcript are kept. */
export function isJudged({ state }: Pick<FoundTranscript, 'state'>): boolean {
  return !REPEATING.includes(state)
}
