import type { NeedPrecision, WeighedBy } from '../../core/replay/experiment-result'
import type { NeedWeighing } from '../../core/replay/needs/weigh-needs'
import type { GatheredWeighing } from './ready-sessions'

/** What a thread is sent with each task: the large parts are shared, not copied. */
export function sentWeighing({ shared: { hashes, rarity }, precision }: GatheredWeighing): NeedWeighing {
  return { shared: { hashes, rarity }, precision }
}

/** What the needs of an experiment were weighed by, for its result. */
export function weighedBy({ shared, precisions }: GatheredWeighing): WeighedBy {
  return {
    owners: shared.owners,
    sharedSpans: shared.hashes.length,
    countedSpans: shared.counted,
    precision: precisions.flatMap(({ kind, precision, shown, unseen }): NeedPrecision[] =>
      shown + unseen === 0 ? [] : [{ kind, value: precision, shown, unseen }],
    ),
  }
}
