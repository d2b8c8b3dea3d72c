import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { type FindingMute, MOST_REASON } from '../core/findings/mutes'
import { reasonOf } from '../core/words/reason-of'
import { ensureStateFolder } from './paths'

/** More than that is no list that a person made; the oldest goes. */
const MOST_MUTES = 2_000

const shape = z.object({
  mutes: z.array(
    z.object({
      finding: z.string().max(200),
      cause: z.string().max(2_000).nullable(),
      reason: z.string().max(MOST_REASON),
      at: z.number(),
      until: z.number().nullable(),
    }),
  ),
})

function muteFile(home: string): string {
  return join(home, 'muted-findings.json')
}

/**
 * What is muted, newest first; nothing where nothing ever was.
 * @throws Error that names the file when it cannot be read: what was muted would show again, or be lost with a change
 */
export function readMutes(home: string): readonly FindingMute[] {
  const file = muteFile(home)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return []
    throw new Error(`${file} cannot be read: ${reasonOf(error)}`)
  }
  try {
    return shape.parse(JSON.parse(text)).mutes
  } catch {
    throw new Error(`${file} is not a list of muted findings. Mend it, or move it away to begin anew.`)
  }
}

/** Mutes a finding or its cause, in place of what was said of it before. @throws StateFolderError, Error as above */
export function addMute(home: string, mute: FindingMute): void {
  const others = readMutes(home).filter((one) => !isOf(one, mute))
  write(home, [mute, ...others].slice(0, MOST_MUTES))
}

/** Takes away what mutes a finding or all of its cause. @returns how many entries there were */
export function removeMutes(home: string, of: Pick<FindingMute, 'finding' | 'cause'>): number {
  const all = readMutes(home)
  const rest = all.filter(
    ({ finding, cause }) =>
      !(cause === null ? finding === of.finding : cause === of.cause || finding === of.finding),
  )
  if (rest.length < all.length) write(home, rest)
  return all.length - rest.length
}

function isOf(one: FindingMute, other: FindingMute): boolean {
  return one.cause === null
    ? other.cause === null && one.finding === other.finding
    : one.cause === other.cause
}

function write(home: string, mutes: readonly FindingMute[]): void {
  ensureStateFolder(home)
  const fresh = join(home, `.muted-${randomUUID()}.tmp`)
  try {
    writeFileSync(fresh, `${JSON.stringify({ mutes }, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(fresh, muteFile(home))
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
