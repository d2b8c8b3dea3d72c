import { readdirSync, readFileSync } from 'node:fs'

/** What runs with this state folder, however it was started: numbers and command lines. Linux only. */
export function processesOf(home: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const env = read(pid, 'environ').split('\0')
      if (!env.includes(`PLIMSOLL_HOME=${home}`)) return []
      const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
      // One that has ended and was not asked for its end yet has none.
      return command === '' ? [] : [`${pid} ${command}`]
    })
}

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // It has ended, or belongs to somebody else.
    return ''
  }
}
