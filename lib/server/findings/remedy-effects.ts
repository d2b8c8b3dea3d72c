import 'server-only'
import { reasonOf } from '../../core/words/reason-of'
import { verifyRemedy } from '../../engine/findings/verify-remedy'
import type { WatchedRemedy } from '../../engine/findings/watched-remedy'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { APPLIED_SHOWN, type EffectItem } from '../../view/findings/applied-remedies'
import { effectItem } from '../../view/findings/effect-item'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'
import { findStoresForPage } from '../stores/found-stores'
import { getWatchedRemedies } from './applied-remedies'

/** Answers are kept for so long, and for many times as long as they took: calls of two weeks are read for each. */
const KEPT_MS = 10_000
const KEPT_TIMES = 20

type Measured = { readonly stamp: string; until: number; readonly items: Promise<readonly EffectItem[]> }

/** Whether the settings that were applied last helped: what “plimsoll findings verify” says. Asked for behind the page. */
export async function getRemedyEffects(): Promise<readonly EffectItem[]> {
  const watched = (await getWatchedRemedies()).slice(0, APPLIED_SHOWN)
  const memory = oncePerProcess('remedy-effects', () => ({ last: null as Measured | null }))
  const stamp = watched
    .map(({ receipt, undoneAt, foreseen }) => `${receipt} ${undoneAt} ${foreseen !== null}`)
    .join()
  const known = memory.last
  if (known !== null && known.stamp === stamp && Date.now() < known.until) return known.items
  const began = Date.now()
  const made: Measured = { stamp, until: Number.POSITIVE_INFINITY, items: measure(watched) }
  memory.last = made
  const settle = (kept: number) => {
    made.until = Date.now() + kept
  }
  made.items.then(
    () => settle(Math.max(KEPT_MS, KEPT_TIMES * (Date.now() - began))),
    () => settle(0),
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
