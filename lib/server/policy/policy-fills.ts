import 'server-only'
import type { FillAggregate } from '../../view/policy/policy-fills'
import { getDatabase } from '../process/database'
import { oncePerProcess } from '../process/process-memory'
import { FillKeeper } from './fill-keeper'

const keeper = oncePerProcess('fills', () => new FillKeeper())

/** How full the calls of all sessions were, for holding thresholds against them. */
export async function getFills(): Promise<FillAggregate> {
  return keeper.read(await getDatabase())
}
