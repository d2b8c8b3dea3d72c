import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Text that lies outside of every store and must be neither shown nor changed. */
export const OUTSIDE = 'policy:\n  preset: vs7 # OUTSIDE-CANARY\n'

/** Ways in which a policy file of a store can be one that lies elsewhere, by name. */
export const LINKS: Readonly<Record<string, (file: string, outside: string) => void>> = {
  'a link at its name': (file, outside) => symlinkSync(victimIn(outside), file),
  'a relative link at its name': (file, outside) =>
    symlinkSync(join('..', basename(outside), basename(victimIn(outside))), file),
  'a link to a link': (file, outside) => {
    symlinkSync(victimIn(outside), `${file}.hop`)
    symlinkSync(`${file}.hop`, file)
  },
}

/** A file outside, of the operator. @returns its path */
export function victimIn(outside: string): string {
  const victim = join(outside, 'private.txt')
  writeFileSync(victim, OUTSIDE)
  return victim
}

/** Gives a file outside a second name in the store. */
export function hardLinkPolicy(file: string, outside: string): string {
  const victim = victimIn(outside)
  linkSync(victim, file)
  return victim
}

/** Makes the store's folder itself a link to a folder outside in which such a file lies. */
export function swapFolder(folder: string, outside: string): void {
  renameSync(folder, `${folder}-real`)
  symlinkSync(outside, folder)
}

/** A folder below the store that is a link, and a file beyond it that a policy file includes. */
export function linkIncluded(folder: string, outside: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(outside, 'secret.json5'), '{ defaults: { compaction: { keepRecentTokens: 4711 } } }')
  symlinkSync(outside, join(folder, 'parts'))
}

/**
 * Puts links where a writer that names its temporary files after process and content would write: the victim would be
 * overwritten through them.
 */
export function linkGuessedTemporaries(file: string, text: string, victim: string): void {
  const hash = createHash('sha256').update(text).digest('hex')
  const names = [
    `.${basename(file)}.${process.pid}.${hash.slice(0, 8)}.tmp`,
    `.${basename(file)}.${process.pid}.tmp`,
    `${basename(file)}.${process.pid}.tmp`,
    `${basename(file)}.tmp`,
    `${basename(file)}.plimsoll.tmp`,
  ]
  for (const name of names) symlinkSync(victim, join(dirname(file), name))
}
