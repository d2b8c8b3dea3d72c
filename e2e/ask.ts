import { setTimeout as wait } from 'node:timers/promises'
import { SIGNED_IN } from './start-plimsoll'

const PAUSE_MS = 100
const LIMIT_MS = 200_000

/** Asks for an address until its answer, JSON, holds what is looked for; throws when that takes some minutes. */
export async function ask<T>(address: string, find: (answer: unknown) => T | undefined): Promise<T> {
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await wait(PAUSE_MS)) {
    const found = find(await (await fetch(address, SIGNED_IN)).json())
    if (found !== undefined) return found
  }
  throw new Error(`${address} does not have it`)
}

type Row = { readonly id: string; readonly title: string }

/** The address of the page of the first listed session that fits, once there is one. */
export function sessionPage(url: string, fits: (row: Row) => boolean, query = ''): Promise<string> {
  return ask(`${url}/api/sessions${query}`, (answer) => {
    const row = (answer as { rows: Row[] }).rows.find(fits)
    return row && `${url}/sessions/${row.id}`
  })
}
