// @ts-check
// Makes node_modules agree with the lock file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNpm, say } from './project.mjs'

/**
 * What Prisma's scripts need to know: no engine is used here, so none is to be downloaded (any existing file will do),
 * and they have nothing to report home.
 */
export const PRISMA_ENV = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
  // Where it would count our commands.
  XDG_CONFIG_HOME: join(root, 'node_modules', '.cache'),
}

/**
 * Answers whether every package of the lock file that this system needs is installed in its exact version.
 * npm writes what it installed to its own lock file inside node_modules.
 */
function areInstalled() {
  const wanted = readLock(join(root, 'package-lock.json'))
  const present = readLock(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !present) return false
  return Object.entries(wanted.packages).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true
    const installed = present.packages[path]
    return installed ? installed.version === version : Boolean(optional || devOptional)
  })
}

/**
 * @param {string} path
 * @returns {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> } | null}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** Installs what is missing; throws when npm could not. */
export async function ensureDependencies() {
  if (areInstalled()) return
  say('Installing packages (npm ci) …')
  // Also where the environment says that this is production: a checkout builds what it serves.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await runNpm(args, { env: PRISMA_ENV, quiet: true })
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}; its messages are above`)
}
