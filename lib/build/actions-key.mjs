// @ts-check
// The key that a build of the dashboard seals the values of its server actions with, kept from one build to the next.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** AES-256. Bytes. */
const LENGTH = 32

/**
 * The key of the builds in a folder, made with the first one. Next keeps it too, but not in a container: there each build
 * has another key, which every module is made of, so that a build after one small change took as long as the first.
 * @param {string} folder of the dashboard's build; the key is in its cache, which no package has
 * @returns {string} in base64, as NEXT_SERVER_ACTIONS_ENCRYPTION_KEY takes it
 */
export function keptActionsKey(folder) {
  const file = join(folder, 'cache', 'plimsoll-actions-key')
  const kept = readKey(file)
  if (kept !== null) return kept
  const key = randomBytes(LENGTH).toString('base64')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, key, { mode: 0o600 })
  return key
}

/** @param {string} file @returns {string | null} null: there is none, or what is there is no key */
function readKey(file) {
  try {
    const key = readFileSync(file, 'utf8')
    return Buffer.from(key, 'base64').length === LENGTH ? key : null
  } catch {
    return null
  }
}
