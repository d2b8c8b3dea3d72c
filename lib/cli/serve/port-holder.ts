import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { urlHost } from './address'

/** Who listens at a port, as far as this account can see. */
export type PortHolder = {
  /** It answers as a dashboard does. */
  readonly isPlimsoll: boolean
  /** null where the system does not tell, or not this account. */
  readonly pid: number | null
  /** Name of its program; null as above. */
  readonly program: string | null
}

/** A dashboard that answers at all answers its door at once. Milliseconds. */
const PATIENCE_MS = 1_000

/** Asks whoever listens there, and Linux. */
export async function portHolder(host: string, port: number): Promise<PortHolder> {
  const isPlimsoll = await answersLikeUs(`http://${urlHost(host)}:${port}/api/sign-in-link`)
  const pid = process.platform === 'linux' ? listenerAt(port) : null
  if (pid === null) return { isPlimsoll, pid, program: null }
  // The web server is a child of the dashboard, and ends with it.
  const named = isPlimsoll ? parentOf(pid) : pid
  return { isPlimsoll, pid: named, program: programOf(named) }
}

/** The door names its realm to all who bring no token. */
async function answersLikeUs(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const { headers } = await fetch(address, { method: 'POST', redirect: 'error', signal })
    return headers.get('www-authenticate') === 'Bearer realm="plimsoll"'
  } catch {
    return false
  }
}

/** State of a socket that listens, in /proc/net/tcp. */
const LISTENS = '0A'

/** The process that listens at a port; null when it is another account's, or there is none. */
function listenerAt(port: number): number | null {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set(
    ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(linesOf).flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === LISTENS && local.endsWith(`:${wanted}`) ? `socket:[${inode}]` : []
    }),
  )
  if (sockets.size === 0) return null
  const pid = namesIn('/proc').find(
    (name) =>
      /^\d+$/.test(name) &&
      namesIn(`/proc/${name}/fd`).some((fd) => sockets.has(linkAt(`/proc/${name}/fd/${fd}`))),
  )
  return pid === undefined ? null : Number(pid)
}

function parentOf(pid: number): number {
  const line = linesOf(`/proc/${pid}/status`).find((text) => text.startsWith('PPid:'))
  return Number(line?.slice('PPid:'.length)) || pid
}

/** Its name alone: what else it was started with may be private. */
function programOf(pid: number): string | null {
  return linesOf(`/proc/${pid}/comm`)[0]?.trim() || null
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
