import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unpackClient } from './install'
import type { ClientRun, OpenClawHome } from './openclaw-home'

export type ClientVersion = '2026.2.26' | '2026.7.1'

/** What a client's own function did with a lock. */
export type Acquired = {
  readonly result: 'held' | 'failed'
  readonly error?: string
  readonly waited: number
}

/**
 * Runs the client's own function for the lock of `file` in a separate process: it waits `timeoutMs` for it and holds it
 * for `holdMs`.
 */
export function acquireAsClient(
  home: OpenClawHome,
  generation: ClientVersion,
  file: string,
  times: { readonly timeoutMs: number; readonly holdMs: number },
): ClientRun {
  const module = generation === '2026.7.1' ? laterModule(home) : earlierModule(home)
  const program = join(home.home, `acquire-${generation}.mjs`)
  writeFileSync(program, PROGRAM)
  return home.node(program, module, file, String(times.timeoutMs), String(times.holdMs))
}

export function acquired(output: string): Acquired {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '')
}

const PROGRAM = `
import { setTimeout as sleep } from 'node:timers/promises'
const [module, sessionFile, timeoutMs, holdMs] = process.argv.slice(2)
const acquire = Object.values(await import(module)).find((value) => value?.name === 'acquireSessionWriteLock')
const started = performance.now()
const say = (result, error) =>
  console.log(JSON.stringify({ result, error, waited: Math.round(performance.now() - started) }))
try {
  const lock = await acquire({ sessionFile, timeoutMs: Number(timeoutMs) })
  say('held')
  await sleep(Number(holdMs))
  await lock.release()
} catch (error) {
  say('failed', String(error))
}
process.exit()
`

function laterModule({ installed }: OpenClawHome): string {
  const dist = join(installed, 'dist')
  const name = readdirSync(dist).find((file) => /^session-write-lock-(?!error)/.test(file)) ?? ''
  return pathToFileURL(join(dist, name)).href
}

/**
 * The earlier client asks for a package that npm cannot fetch any more, so its module is cut out of the bundle; the two
 * small functions that it takes from elsewhere are before it.
 */
function earlierModule({ home }: OpenClawHome): string {
  const dist = join(unpackClient('openclaw', '2026.2.26'), 'dist')
  const parts = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map(
      (name) => readFileSync(join(dist, name), 'utf8').split('//#region src/agents/session-write-lock.ts')[1],
    )
  // Several bundles hold it, some of them without the function that is not called there.
  const part = parts
    .map((text) => text?.split('//#endregion')[0] ?? '')
    .find((text) => text.includes('function acquireSessionWriteLock'))
  const cut = join(home, 'session-write-lock-2026.2.26.mjs')
  writeFileSync(cut, `${EARLIER_HEAD}\n${part}\nexport { acquireSessionWriteLock }\n`)
  return pathToFileURL(cut).href
}

const EARLIER_HEAD = `
import fs from 'node:fs/promises'
import fs$1 from 'node:fs'
import path from 'node:path'
const maps = new Map()
function resolveProcessScopedMap(key) {
  if (!maps.has(key)) maps.set(key, new Map())
  return maps.get(key)
}
function isPidAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
`
