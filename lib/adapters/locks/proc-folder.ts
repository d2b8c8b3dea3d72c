import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What /proc tells about the processes of this machine (Linux). Elsewhere there is nothing: `ids` is empty. */
export const procFolder = {
  ids(): number[] {
    return names('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  },

  /** The environment that it was started with; null when it cannot be read (another user's). */
  environment(pid: number): Readonly<Record<string, string>> | null {
    const text = read(`/proc/${pid}/environ`)
    if (text === null) return null
    const pairs = text.split('\0').map((pair) => pair.split(/=(.*)/s) as [string, string | undefined])
    return Object.fromEntries(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  },

  workingFolder(pid: number): string | null {
    return link(`/proc/${pid}/cwd`)
  },

  /** Real paths of the files that it has open for writing, as far as they match `wanted`. */
  written(pid: number, wanted: RegExp): string[] {
    return names(`/proc/${pid}/fd`).flatMap((fd) => {
      const file = link(`/proc/${pid}/fd/${fd}`)
      if (file === null || !wanted.test(file)) return []
      // The lowest digit of the octal flags is the access mode: 1 write, 2 read and write.
      const flags = /^flags:\s+(\d+)$/m.exec(read(`/proc/${pid}/fdinfo/${fd}`) ?? '')?.[1]
      return flags === undefined || ['1', '2'].includes(flags.at(-1) ?? '') ? [file] : []
    })
  },

  /** The process that listens on this TCP port of this machine; null when unknown. */
  listener(port: number): number | null {
    const sockets = new Set([...listening('/proc/net/tcp', port), ...listening('/proc/net/tcp6', port)])
    if (sockets.size === 0) return null
    const holds = (pid: number) =>
      names(`/proc/${pid}/fd`).some((fd) => sockets.has(link(`/proc/${pid}/fd/${fd}`) ?? ''))
    return this.ids().find(holds) ?? null
  },
}

/** Sockets in state LISTEN (0A) on a port, named as in `/proc/<pid>/fd`. */
function listening(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (read(table) ?? '').split('\n').map((row) => row.trim().split(/\s+/))
  return rows
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(wanted))
    .map((columns) => `socket:[${columns[9]}]`)
}

/** Processes end while we look, and those of others are closed to us: both are nothing here. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function link(file: string): string | null {
  try {
    return readlinkSync(file)
  } catch {
    return null
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
