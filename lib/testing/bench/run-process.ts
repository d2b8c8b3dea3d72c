import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What a process took from start to end. */
export type ProcessRun = {
  readonly code: number | null
  readonly ms: number
  /** Highest resident memory in bytes, our children's children not included; null where the system does not tell. */
  readonly peakBytes: number | null
  readonly stdout: string
}

type RunOptions = { readonly cwd: string; readonly env?: Record<string, string | undefined> }

/** Runs this Node with the arguments and measures it. Its standard error is ours. */
export function runNode(args: readonly string[], options: RunOptions): Promise<ProcessRun> {
  return runProgram(process.execPath, args, options)
}

/** The same with another program. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<ProcessRun> {
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  let peakBytes: number | null = null
  const timer = setInterval(() => {
    peakBytes = peakMemory(child.pid) ?? peakBytes
  }, 50)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(timer)
      resolve({ code, ms: performance.now() - startedAt, peakBytes, stdout })
    })
  })
}

/** High-water mark of a process as Linux counts it. */
function peakMemory(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

/** A program that reads files with nothing but a buffer and JSON.parse: what no reader can be faster than. */
export const BARE_PARSE = `
import { closeSync, openSync, readSync } from 'node:fs'
let lines = 0
for (const file of process.argv.slice(2)) {
  const fd = openSync(file, 'r')
  let buffer = Buffer.allocUnsafe(1 << 22), kept = 0
  for (;;) {
    if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
    const read = readSync(fd, buffer, kept, buffer.length - kept, null)
    if (read === 0) break
    const end = kept + read
    let start = 0
    for (let at = buffer.indexOf(10, 0); at !== -1 && at < end; at = buffer.indexOf(10, start)) {
      try { JSON.parse(buffer.toString('utf8', start, at)) } catch {}
      lines++
      start = at + 1
    }
    buffer.copy(buffer, 0, start, end)
    kept = end - start
  }
  closeSync(fd)
}
process.stdout.write(String(lines))
`
