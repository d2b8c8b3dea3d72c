import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/** `PLIMSOLL_TOKEN` of the server under test, whose pages are asked for as by somebody who is let in. */
export const BENCH_TOKEN = randomBytes(24).toString('base64url')
export const SIGNED_IN = { Authorization: `Bearer ${BENCH_TOKEN}` }

export type RunningServer = { readonly url: string; stop(): Promise<void> }

/** Starts the dashboard on a free port. @param cwd the folder that it works in */
export async function startServer(
  bin: string,
  cwd: string,
  env: { readonly [name: string]: string },
): Promise<RunningServer> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /Plimsoll is at (http:\/\/\S+?)\/\s/.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error('the server ended before it answered')))
  })
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
