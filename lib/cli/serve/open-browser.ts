import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reasonOf } from '../../core/words/reason-of'
import type { Io } from '../io'

/** What each system has for opening a file as a double click does. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
const ELSEWHERE = ['xdg-open'] as const

/**
 * Opens a link in the operator's browser. All accounts of a machine see what a program is started with, and the link
 * signs in who is first: so the browser gets a page of the state folder, which only its owner can read, and that page
 * leads on.
 * @param home state folder
 * @returns why it could not be opened; null when it was handed over
 */
export async function openBrowser(link: string, home: string, env: Io['env']): Promise<string | null> {
  const page = pageIn(home)
  const [program, ...words] = OPENERS[process.platform] ?? ELSEWHERE
  try {
    rmSync(page, { force: true })
    writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">\n`, {
      mode: 0o600,
      flag: 'wx',
    })
    await handOver(program, [...words, pathToFileURL(page).href], env)
    return null
  } catch (error) {
    return `The browser could not be opened (${reasonOf(error)}); open the address yourself.`
  }
}

/** Takes the page away, whose link is of no use any more. */
export function forgetOpened(home: string): void {
  rmSync(pageIn(home), { force: true })
}

function pageIn(home: string): string {
  return join(home, 'open.html')
}

/** Ends when it was started: some of these programs live as long as the browser. */
function handOver(program: string, args: readonly string[], env: Io['env']): Promise<void> {
  return new Promise((resolve, reject) => {
    const variables = { ...env, NODE_ENV: 'production' as const }
    const child = spawn(program, [...args], { env: variables, stdio: 'ignore', detached: true })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
