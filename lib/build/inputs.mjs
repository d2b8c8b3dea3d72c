// @ts-check
// Decides whether a build is still good: the hash of everything that went into it is beside it.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './project.mjs'

/**
 * SHA-256 over names and bytes of all files below the given places of the checkout. Tests do not go into builds.
 * @param {readonly string[]} places files or folders, relative to the checkout; missing ones count as empty
 * @param {readonly string[]} [without] path prefixes to leave out
 */
export function hashInputs(places, without = []) {
  const hash = createHash('sha256').update(process.version)
  for (const place of places) {
    for (const file of listFiles(place)) {
      if (/\.(test|spec|bench)\.tsx?$/.test(file) || without.some((prefix) => file.startsWith(prefix)))
        continue
      hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
    }
  }
  return hash.digest('hex')
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function listFiles(place) {
  const stat = statSync(join(root, place), { throwIfNoEntry: false })
  if (!stat) return []
  if (stat.isFile()) return [place]
  return readdirSync(join(root, place))
    .sort()
    .flatMap((name) => listFiles(`${place}/${name}`))
}

/**
 * @param {string} stamp absolute path
 * @param {string} hash
 */
export function isCurrent(stamp, hash) {
  try {
    return readFileSync(stamp, 'utf8') === hash
  } catch {
    return false
  }
}

/**
 * @param {string} stamp absolute path
 * @param {string} hash
 */
export function markCurrent(stamp, hash) {
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}
