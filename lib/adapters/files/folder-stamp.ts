import { stat } from 'node:fs/promises'
import type { Milliseconds } from '../../core/units/units'

/** When names came into folders or went from them. */
export type FolderStamp = {
  /** The same as long as no name came or went. */
  readonly text: string
  /** The last such moment; 0: no folder is there. */
  readonly newest: Milliseconds
}

/** What tells whether the lists of folders are as they were, at the price of one look at each. */
export async function folderStamp(folders: readonly string[]): Promise<FolderStamp> {
  const times: number[] = []
  for (const folder of folders) times.push(await lastChange(folder))
  return { text: times.join(' '), newest: Math.max(0, ...times) }
}

/** 0: it is not there, or cannot be looked at. */
function lastChange(folder: string): Promise<number> {
  return stat(folder).then(
    ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
    () => 0,
  )
}
