import 'server-only'
import type { Database } from '../db/client'
import { countUnknownTypes, findBrokenSessions, findUnreadableEntries } from '../db/queries/store-problems'
import { findStoreSummaries } from '../db/queries/store-summaries'
import { type StoresView, storesView } from '../view/stores'
import { findStores } from '../wire'
import { demoFolder } from './demo'
import { lossesOf } from './import-losses'
import { getSetup } from './setup'
import { untilChange } from './until-change'

/** Lines listed; the page says how many there are altogether. */
const LINES_LISTED = 200
/** The same of one transcript. */
const LINES_OF_ONE = 10
const TYPES_LISTED = 100
const BROKEN_LISTED = 100

/** Everything on the Stores page. The known places are probed anew each time: a few look-ups in folders. */
export async function getStores(): Promise<StoresView> {
  const setup = getSetup()
  const [facts, found] = await Promise.all([
    untilChange('stores', readFacts),
    findStores(setup, process.env, null),
  ])
  return storesView({ ...facts, probes: found.probes, demoFolder: demoFolder() })
}

async function readFacts(database: Database) {
  const [stores, unreadable, unknownTypes, broken] = await Promise.all([
    findStoreSummaries(database),
    findUnreadableEntries(database, LINES_LISTED, LINES_OF_ONE),
    countUnknownTypes(database, TYPES_LISTED),
    findBrokenSessions(database, BROKEN_LISTED),
  ])
  return { stores, unreadable, unknownTypes, broken, losses: await lossesOf(stores, unreadable) }
}
