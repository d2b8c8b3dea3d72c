import 'server-only'
import type { FillAggregate } from '../view/policy-fills'
import { getDatabase } from './database'
import { FillKeeper } from './fill-keeper'
import { oncePerProcess } from './process-memory'

const keeper = oncePerProcess('fills', () => new FillKeeper())

/** How full the calls of all sessions were, for holding thresholds against them. */
export async function getFills(): Promise<FillAggregate> {
  return keeper.read(await getDatabase())
}
