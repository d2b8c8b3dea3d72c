import 'server-only'
import { join, sep } from 'node:path'
import { findStoreRoots } from '../../db/queries/store-summaries'
import type { DemoNotice } from '../../view/shell/demo'
import { getSetup } from '../process/setup'
import { untilChange } from '../process/until-change'

/** The folder that holds the demo's stores, whether they were made or not. */
export function demoFolder(): string {
  return join(getSetup().environment.home, 'demo')
}

/** Whether a store's root is one of the demo's. */
function isDemoRoot(root: string): boolean {
  return `${root}${sep}`.startsWith(`${demoFolder()}${sep}`)
}

/**
 * Tells by a store's root whether its sessions need a mark: only where made-up ones are beside real ones. Where all are
 * made up, the page says so once.
 */
export async function demoMarker(): Promise<(root: string) => boolean> {
  return (await getDemoNotice()) === 'beside' ? isDemoRoot : () => false
}

/** Whether what pages show is made up, wholly or in part. A database that cannot be read shows nothing made up. */
export async function getDemoNotice(): Promise<DemoNotice> {
  try {
    const roots = await untilChange('store roots', async (database) => findStoreRoots(database))
    const demos = roots.filter(isDemoRoot).length
    if (demos === 0) return 'none'
    return demos === roots.length ? 'only' : 'beside'
  } catch {
    return 'none'
  }
}
