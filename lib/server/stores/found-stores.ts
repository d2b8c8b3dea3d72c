import 'server-only'
import { newLookMemory } from '../../adapters/discovery/discover'
import { type FoundStores, findStores, type Setup } from '../../compose/open'
import { oncePerProcess } from '../process/process-memory'

/** A page waits no longer for the stores together; one that answers later is there on the next page. Milliseconds. */
const PATIENCE_MS = 300

/** The stores of this machine, for a page: probed anew, but asked again only where something has changed. */
export function findStoresForPage(setup: Setup): Promise<FoundStores> {
  const memory = oncePerProcess('found-stores', () => newLookMemory(PATIENCE_MS))
  return findStores(setup, process.env, null, {}, memory)
}
