import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Child, startChild } from './child'

export type WebServer = Child & {
  /** The port that it listens at, from itself; null when it ended before. */
  readonly port: Promise<number | null>
}

/** Next.js prints it as soon as it listens: "- Local:         http://127.0.0.1:4747". */
const LISTENS = /^- Local:\s+https?:\/\/\S+:(\d+)$/

/** What Node runs as the web server: script, and words before its options. */
export type WebScript = readonly [script: string, ...words: string[]]

/**
 * How the dashboard is served from here: with the build and the Next.js of a checkout, else with the packed ones; null
 * when there is neither.
 * @param root folder of the package
 * @param dist another folder for the checkout's build, as PLIMSOLL_DIST names it
 */
export function findWebScript(root: string, dist: string | undefined): WebScript | null {
  const folder = dist || '.next'
  const build = isAbsolute(folder) ? folder : join(root, folder)
  if (existsSync(join(build, 'BUILD_ID'))) return webScript(root, root, build)
  const packed = join(root, 'dist', 'dashboard')
  const packedBuild = join(packed, '.next')
  return existsSync(join(packedBuild, 'BUILD_ID')) ? webScript(root, packed, packedBuild) : null
}

function webScript(root: string, folder: string, build: string): WebScript {
  const script = join(root, 'lib', 'cli', 'serve', 'dashboard-server.cjs')
  return [script, '--folder', folder, '--build', build]
}

/**
 * Starts the web server of the dashboard.
 * @param port where to listen; 0 leaves the choice to the system, which gives the port to the server itself: a port
 *   that is searched for beforehand can be given to any connection until the server listens
 * @param onFault hears each line of its standard error
 */
export function startWebServer(options: {
  /** Folder of the package. */
  readonly root: string
  readonly script: WebScript
  readonly env: Readonly<Record<string, string | undefined>>
  /** Name or address, IPv6 without brackets. */
  readonly hostname: string
  readonly port: number
  readonly onFault: (line: string) => void
}): WebServer {
  const { root, script, env, hostname, onFault } = options
  let listens = (_port: number | null) => {}
  const port = new Promise<number | null>((resolve) => {
    listens = resolve
  })
  const child = startChild({
    args: [...script, '--hostname', hostname, '--port', String(options.port)],
    cwd: root,
    env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
    onLine: (line, from) => {
      // The rest of its banner repeats what `serve` says.
      const own = from === 'stdout' ? LISTENS.exec(line.trim())?.[1] : undefined
      if (own !== undefined) listens(Number(own))
      if (from === 'stderr' && line.trim() !== '') onFault(line)
    },
  })
  void child.ended.then(() => listens(null))
  return { ...child, port }
}

/**
 * What is asked for first: a file that passes the door like a page. A page would load most of the server's code, three
 * quarters of the processor time of a start; who opens one waits for what that one needs.
 */
const FIRST_FILE = 'icon.svg'

/**
 * Waits for the first answer of the web server; false when it ended or we were stopped before.
 * @param address of the dashboard, with a slash at its end
 */
export async function waitUntilItAnswers(
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
      const response = await fetch(address + FIRST_FILE, {
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
