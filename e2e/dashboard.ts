import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Ended, startPlimsoll } from './start-plimsoll'

/** The built command, serving. */
export type Dashboard = {
  /** Its address, without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The link that it printed for signing in; null where no sign-in is needed. */
  readonly signInLink: string | null
  readonly ended: Promise<Ended>
  /** What it wrote to standard error so far. */
  complaints(): string
  /** Asks it to end, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

/** Options of `serve`; a free port is looked for where none is named, and 0 leaves the choice to the system. */
export type ServeAt = { readonly port?: number; readonly host?: string }

/**
 * Starts a dashboard whose user has this home, and waits until it answers.
 * @param env variables beside those of `startPlimsoll`
 */
export async function startDashboard(
  home: string,
  env: Record<string, string> = {},
  { port: wanted, host = '127.0.0.1' }: ServeAt = {},
): Promise<Dashboard> {
  const asked = wanted ?? (await freePort(host))
  const running = startPlimsoll(['serve', '--host', host, '--port', String(asked)], home, env)
  const [greeting, printed] = await running.printed(/Plimsoll is at http:\/\/[^/]+:(\d+)\/[\s\S]*Ctrl-C/)
  const port = Number(printed)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: running.pid,
    signInLink: /http:\/\/\S+\?token=\S+/.exec(greeting)?.[0] ?? null,
    ended: running.ended,
    complaints: running.complaints,
    stop: (signal = 'SIGTERM') => {
      running.kill(signal)
      return running.ended
    },
  }
}

/** Ends a dashboard like a loss of power: the command line, its web server and its reader of stores, all at once. */
export async function killDashboard(running: Dashboard): Promise<void> {
  for (const pid of [running.pid, ...childrenOf(running.pid)]) process.kill(pid, 'SIGKILL')
  await running.ended
  // Its children end a moment later on a busy machine; until then they keep the port.
  while (!(await isFree(running.port, '127.0.0.1'))) await wait(20)
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const own = existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

/** A new folder, by its real path. */
export function newFolder(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `plimsoll-${name}-`)))
}

/**
 * A port that is free, of those that no system hands out by itself: from 32,768 on (Linux) any connection may be given it
 * in the seconds until the dashboard listens.
 */
async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_768)
    if (await isFree(port, host)) return port
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
