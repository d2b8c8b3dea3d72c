import 'server-only'
import type { Database } from '../../db/client'
import { countUnknownTypes, findBrokenSessions, findUnreadableEntries } from '../../db/queries/store-problems'
import { findStoreSummaries } from '../../db/queries/store-summaries'
import { type StoresView, storesView } from '../../view/stores/stores'
import { getArchiveView } from '../archive/deletions'
import { getSetup } from '../process/setup'
import { untilChange } from '../process/until-change'
import { demoFolder } from './demo'
import { findStoresForPage } from './found-stores'
import { readImportLosses } from './import-losses'

/** Lines listed; the page says how many there are altogether. */
const LINES_LISTED = 200
/** The same of one transcript. */
const LINES_OF_ONE = 10
const TYPES_LISTED = 100
const BROKEN_LISTED = 100

/** Everything on the Stores page. The known places are probed anew each time: a few look-ups in folders. */
export async function getStores(): Promise<StoresView> {
  const setup = getSetup()
  const [facts, found] = await Promise.all([untilChange('stores', readFacts), findStoresForPage(setup)])
  const archive = await getArchiveView(found.stores)
  return storesView({ ...facts, archive, probes: found.probes, demoFolder: demoFolder() })
}

async function readFacts(database: Database) {
  const [stores, unreadable, unknownTypes, broken] = await Promise.all([
    findStoreSummaries(database),
    findUnreadableEntries(database, LINES_LISTED, LINES_OF_ONE),
    countUnknownTypes(database, TYPES_LISTED),
    findBrokenSessions(database, BROKEN_LISTED),
  ])
  return { stores, unreadable, unknownTypes, broken, losses: await readImportLosses(stores, unreadable) }
}
