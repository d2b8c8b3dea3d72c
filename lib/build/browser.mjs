// @ts-check
// Finds a Chromium for the browser tests: an installed one, else Playwright's, else Debian's package. The headless shell is
// the same engine without the windows around it; a page takes it half the processor time.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from './project.mjs'

const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
  'msedge.exe',
]
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const base = process.env[name]
    return base ? [join(base, 'Google/Chrome/Application/chrome.exe')] : []
  }),
]

/** Path of a usable browser, or null. `PLIMSOLL_BROWSER` names one. */
export async function findBrowser() {
  const named = process.env.PLIMSOLL_BROWSER
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const found = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES].find(
    (path) => existsSync(path),
  )
  if (found) return found
  const { chromium } = await import('@playwright/test')
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null
}

/** Finds a browser or installs Debian's; throws with what to do when there is none. */
export async function ensureBrowser() {
  const found = await findBrowser()
  if (found) return found
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    say('Installing Chromium (apt-get) …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env })
    // Older releases have no package of the shell alone.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      spawnSync('apt-get', ['install', '-y', '-q', name, 'fonts-liberation'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      })
      const installed = await findBrowser()
      if (installed) return installed
    }
  }
  throw new Error(
    'No Chrome or Chromium was found for the browser tests. Install one, or name it with PLIMSOLL_BROWSER=/path/to/chromium.',
  )
}
