import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_HOST } from '../../config/env'
import { decideBind } from '../../core/access/bind-address'
import { migrateDatabase, type Setup } from '../../wire'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { note, write } from '../output'
import { type Child, startChild } from '../serve/child'
import { checkPort } from '../serve/free-port'
import { keepRunning } from '../serve/keep-running'
import { databaseRefusal, setupWithWarnings } from '../setup-or-fail'

export type ServeOptions = { readonly host?: string; readonly port?: number }

/** The dashboard: migrations, then the web server and a reader of stores beside it, until somebody stops it. */
export async function serve(io: Io, options: ServeOptions): Promise<ExitCode> {
  const setup = await setupWithWarnings(io)
  const host = options.host ?? setup.environment.host
  const bind = decideBind({ host, token: setup.environment.token })
  if (!bind.ok) throw new CliError(EXIT.refused, bind.message)
  requireBuild(io)
  const port = await checkPort(host.replace(/^\[|\]$/g, ''), options.port ?? setup.environment.port)
  if (!port.ok) throw new CliError(EXIT.refused, port.message)
  await applyMigrations(setup)

  const stopped = io.untilStopped()
  const stopAll = new AbortController()
  const signal = AbortSignal.any([stopped, stopAll.signal])
  const env = {
    ...io.env,
    PLIMSOLL_HOST: host,
    PLIMSOLL_PORT: String(port.port),
    // The web server runs in another folder; it is to read the same file.
    ...(setup.settingsFile === null ? {} : { PLIMSOLL_CONFIG: setup.settingsFile }),
  }
  const web = startWeb(io, env, host, port.port)
  const reader = keepRunning({
    start: () => startReader(io, env),
    signal,
    now: Date.now,
    onEnd: ({ code }, pauseMs) => {
      const why =
        code === EXIT.done
          ? 'The settings name other stores; the reader of stores ended'
          : `The reader of stores ended (exit code ${code ?? 'none'})`
      void note(io, `${why}; it starts again in ${pauseMs / 1000} s.`)
    },
  })
  const address = `http://${urlHost(host)}:${port.port}/`
  const ready = await waitUntilItAnswers(address, setup.environment.token, web, signal)
  if (ready) await write(io.stdout, greeting(address, setup))
  signal.addEventListener('abort', () => void web.stop())
  const end = await web.ended
  stopAll.abort()
  await reader
  if (stopped.aborted) return EXIT.done
  throw new CliError(
    EXIT.fault,
    `The web server ended by itself (exit code ${end.code ?? 'none'}); its messages are above.`,
  )
}

/** The address to open: whoever binds to all addresses is reachable at loopback too. */
function urlHost(host: string): string {
  const name = host.replace(/^\[|\]$/g, '')
  if (name === '0.0.0.0' || name === '::') return DEFAULT_HOST
  return name.includes(':') ? `[${name}]` : name
}

function greeting(address: string, { environment }: Setup): string {
  const token =
    environment.token === null ? '' : '\nOpen it with ?token=… once; the token is your PLIMSOLL_TOKEN.'
  return `Plimsoll is at ${address}${token}\nState folder: ${environment.home}\nCtrl-C stops it.\n`
}

function requireBuild(io: Io): void {
  const folder = io.env.PLIMSOLL_DIST || '.next'
  const build = join(isAbsolute(folder) ? folder : join(io.root, folder), 'BUILD_ID')
  if (!existsSync(build)) {
    throw new CliError(
      EXIT.refused,
      'The dashboard is not built yet. In a checkout, run: npm run build (npm start does it by itself). The packed package holds command line and library only.',
    )
  }
}

async function applyMigrations({ environment }: Setup): Promise<void> {
  const migrated = await migrateDatabase(environment)
  if (!migrated.ok) throw databaseRefusal(migrated)
}

function startWeb(io: Io, env: Io['env'], host: string, port: number): Child {
  const next = join(io.root, 'node_modules', 'next', 'dist', 'bin', 'next')
  const hostname = host.replace(/^\[|\]$/g, '')
  return startChild({
    args: [next, 'start', '--hostname', hostname, '--port', String(port)],
    cwd: io.root,
    env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
    onLine: (line, from) => {
      // Its banner on standard output repeats what we say ourselves.
      if (from === 'stderr' && line.trim() !== '') void note(io, line)
    },
  })
}

function startReader(io: Io, env: Io['env']): Child {
  return startChild({
    args: [join(io.root, 'lib', 'cli', 'bin.cjs'), 'ingest', '--watch', '--beside-dashboard'],
    cwd: io.cwd,
    env,
    onLine: (line) => {
      if (line.trim() !== '') void note(io, line)
    },
  })
}

/** Waits for the first answer of the web server; false when it ended or we were stopped before. */
async function waitUntilItAnswers(
  address: string,
  token: string | null,
  web: Child,
  signal: AbortSignal,
): Promise<boolean> {
  let ended = false
  void web.ended.then(() => {
    ended = true
  })
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  while (!ended && !signal.aborted) {
    try {
      const response = await fetch(address, {
        headers,
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      })
      await response.arrayBuffer()
      return true
    } catch {
      // Not listening yet.
      await wait(100, undefined, { signal }).catch(() => {})
    }
  }
  return false
}
