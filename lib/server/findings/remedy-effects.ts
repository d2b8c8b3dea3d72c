import 'server-only'
import { reasonOf } from '../../core/words/reason-of'
import { verifyRemedy } from '../../engine/findings/verify-remedy'
import type { WatchedRemedy } from '../../engine/findings/watched-remedy'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { APPLIED_SHOWN, type EffectItem } from '../../view/findings/applied-remedies'
import { effectItem } from '../../view/findings/effect-item'
import { oncePerProcess } from '../process/process-memory'
import { getRevision } from '../process/revision'
import { getSetup } from '../process/setup'
import { findStoresForPage } from '../stores/found-stores'
import { getWatchedRemedies } from './applied-remedies'

/**
 * Answers are kept for so long, and for many times as long as they took: calls of two weeks are read for each. Where
 * nothing was read meanwhile they are kept for longer: only the day has moved on.
 */
const KEPT_MS = 1_000
const KEPT_TIMES = 20
const UNCHANGED_MS = 300_000

type Measured = {
  readonly stamp: string
  readonly revision: number | null
  readonly items: Promise<readonly EffectItem[]>
  until: number
  /** Until when they are kept while the database stays as it is. */
  unchangedUntil: number
}

/** Whether the settings that were applied last helped: what “plimsoll findings verify” says. Asked for behind the page. */
export async function getRemedyEffects(): Promise<readonly EffectItem[]> {
  const watched = (await getWatchedRemedies()).slice(0, APPLIED_SHOWN)
  const memory = oncePerProcess('remedy-effects', () => ({ last: null as Measured | null }))
  const stamp = watched
    .map(({ receipt, undoneAt, foreseen }) => `${receipt} ${undoneAt} ${foreseen !== null}`)
    .join()
  const revision = await getRevision()
  const known = memory.last
  const began = Date.now()
  if (known !== null && known.stamp === stamp) {
    const isUnchanged = revision !== null && known.revision === revision
    if (began < (isUnchanged ? known.unchangedUntil : known.until)) return known.items
  }
  const made: Measured = {
    ...{ stamp, revision, items: measure(watched) },
    ...{ until: Number.POSITIVE_INFINITY, unchangedUntil: Number.POSITIVE_INFINITY },
  }
  memory.last = made
  const settle = (kept: number, unchanged: number) => {
    made.until = Date.now() + kept
    made.unchangedUntil = Date.now() + unchanged
  }
  made.items.then(
    () => {
      const kept = Math.max(KEPT_MS, KEPT_TIMES * (Date.now() - began))
      settle(kept, Math.max(kept, UNCHANGED_MS))
    },
    () => settle(0, 0),
  )
  return made.items
}

async function measure(watched: readonly WatchedRemedy[]): Promise<readonly EffectItem[]> {
  if (watched.length === 0) return []
  const { stores, reader } = await findStoresForPage(getSetup())
  const listed = new Map<string, readonly StoredTranscript[]>()
  const items: EffectItem[] = []
  for (const one of watched) {
    const store = stores.find(({ id }) => id === one.storeId)
    if (store !== undefined && !listed.has(store.id)) {
      const all: StoredTranscript[] = []
      for await (const transcript of reader.list(store)) all.push({ store, transcript })
      listed.set(store.id, all)
    }
    try {
      if (store === undefined) throw new Error('Its store is not there any more.')
      const own = listed.get(one.storeId) ?? []
      items.push(effectItem(await verifyRemedy({ reader, listed: own }, one, Date.now())))
    } catch (error) {
      items.push({
        ...{ receipt: one.receipt, verdict: 'not-measured', takeBack: false, problems: [] },
        sentence: `It cannot be measured: ${reasonOf(error)}`,
      })
    }
  }
  return items
}
