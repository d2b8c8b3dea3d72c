import 'server-only'
import { countUnknownTypes, findBrokenSessions, findUnreadableEntries } from '../db/queries/store-problems'
import { findStoreSummaries } from '../db/queries/store-summaries'
import { type StoresView, storesView } from '../view/stores'
import { findStores } from '../wire'
import { getDatabase } from './database'
import { demoFolder } from './demo'
import { getSetup } from './setup'

/** Lines listed; the page says how many there are altogether. */
const LINES_LISTED = 200
const TYPES_LISTED = 100
const BROKEN_LISTED = 100

/** Everything on the Stores page. The known places are probed anew each time: a few look-ups in folders. */
export async function getStores(): Promise<StoresView> {
  const setup = getSetup()
  const database = await getDatabase()
  const [stores, unreadable, unknownTypes, broken, found] = await Promise.all([
    findStoreSummaries(database),
    findUnreadableEntries(database, LINES_LISTED),
    countUnknownTypes(database, TYPES_LISTED),
    findBrokenSessions(database, BROKEN_LISTED),
    findStores(setup, process.env, null),
  ])
  return storesView({
    stores,
    probes: found.probes,
    unreadable,
    unknownTypes,
    broken,
    demoFolder: demoFolder(),
  })
}
