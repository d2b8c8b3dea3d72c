import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { sizeProblem } from '../core/policy/size-limit'
import { reasonOf } from '../core/words/reason-of'
import { isTrusted, trustedPath } from './trust'

const FILE_NAMES = ['plimsoll.yaml', 'plimsoll.yml', 'plimsoll.json', 'plimsoll.json5']

/** Other accounts than the owner that a file's mode lets write. */
const OTHERS_MAY_WRITE = 0o022

/**
 * Who says that this is the settings file: `named` by option or environment, `known` by its place in the settings folder,
 * or only the folder that the program was started in, which anybody may have filled (a checkout, an archive, /tmp).
 */
export type SettingsOrigin = 'named' | 'known' | 'working-folder'

export type SettingsPlace = { readonly path: string; readonly origin: SettingsOrigin }

export type SettingsText =
  | { readonly ok: true; readonly text: string }
  /** `refused`: whose it is, who may write it, or no trust; `unreadable`: everything else. */
  | { readonly ok: false; readonly reason: 'refused' | 'unreadable'; readonly message: string }

/** Where the settings file may be, what counts most first; the named file alone when one is named. */
export function settingsPlaces(places: {
  readonly explicit: string | null
  readonly cwd: string
  readonly configFolder: string
}): SettingsPlace[] {
  const { explicit, cwd, configFolder } = places
  if (explicit !== null) return [{ path: explicit, origin: 'named' }]
  const first = (folder: string) =>
    FILE_NAMES.map((name) => join(folder, name)).find((file) => existsSync(file))
  const working = sameFolder(cwd, configFolder) ? undefined : first(cwd)
  const known = first(configFolder)
  return [
    ...(working === undefined ? [] : [{ path: working, origin: 'working-folder' } as const]),
    ...(known === undefined ? [] : [{ path: known, origin: 'known' } as const]),
  ]
}

/**
 * Text of a settings file, if it may be obeyed: settings name commands and addresses, so the file must be the operator's
 * own, and one that only lies in the working folder must have been trusted as it is.
 * @param home state folder, which knows the trusted files
 */
export function readSettingsFile(place: SettingsPlace, home: string): SettingsText {
  const { path } = place
  let text: string
  try {
    // A pipe would keep us waiting for a writer.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const info = fstatSync(file)
      if (!info.isFile()) return { ok: false, reason: 'unreadable', message: `${path} is not a file` }
      const refusal = ownerRefusal(path, info)
      if (refusal !== null) return { ok: false, reason: 'refused', message: refusal }
      const message = sizeProblem(path, info.size)
      if (message !== null) return { ok: false, reason: 'unreadable', message }
      text = readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const why = reasonOf(error)
    return { ok: false, reason: 'unreadable', message: `${path} cannot be read: ${why}` }
  }
  const refusal = place.origin === 'working-folder' ? trustRefusal(path, text, home) : null
  return refusal === null ? { ok: true, text } : { ok: false, reason: 'refused', message: refusal }
}

/**
 * Why a settings file that is read already must not be obeyed; null when it may be.
 * @param read its text, with the owner and the mode of the file that this text was read from
 */
export function settingsRefusal(
  { path, origin }: SettingsPlace,
  read: { readonly text: string; readonly uid: number; readonly mode: number },
  home: string,
): string | null {
  return (
    ownerRefusal(path, read) ?? (origin === 'working-folder' ? trustRefusal(path, read.text, home) : null)
  )
}

/** SHA-256 of a settings file's text, in hex. */
export function settingsHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Why a file is not obeyed because of its owner or its mode; null when it may be. Systems without owners have none. */
function ownerRefusal(path: string, info: { readonly uid: number; readonly mode: number }): string | null {
  const own = process.geteuid?.()
  if (own === undefined) return null
  if (info.uid !== own && info.uid !== 0) {
    return `${path} belongs to another account (number ${info.uid}) and is not obeyed, since settings name commands and addresses. Make it yours with: chown ${own} ${path}`
  }
  if ((info.mode & OTHERS_MAY_WRITE) !== 0) {
    return `${path} can be written by other accounts (mode ${(info.mode & 0o777).toString(8)}) and is not obeyed, since settings name commands and addresses. Close it with: chmod go-w ${path}`
  }
  return null
}

function trustRefusal(path: string, text: string, home: string): string | null {
  if (isTrusted(home, path, settingsHash(text))) return null
  const why = trustedPath(home, path)
    ? 'it was changed since you trusted it'
    : 'it lies in the working folder, and you have not trusted it'
  return `${path} is not obeyed: ${why}. Settings name commands, addresses and folders. See what it names with "plimsoll trust --dry-run", trust it as it is with "plimsoll trust", or name it with --config.`
}

function sameFolder(a: string, b: string): boolean {
  if (a === b) return true
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}
