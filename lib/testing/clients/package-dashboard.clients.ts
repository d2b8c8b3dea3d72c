import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { npm } from '../packed-agent'
import { unpackClient } from './install'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SYSTEM = `${process.platform}-${process.arch}`
/** The oldest Node that the package names, the lines after it, and the newest. */
const NODES = ['20.19.0', '22.16.0', '24.21.0', '26.10.0']
/** What may be on the disk after an installation, all that the package depends on included. MiB. */
const MOST_MIB = 160
/** An account without rights, where we may become it. */
const UNPRIVILEGED = 65_534
const TOKEN = 'a-token-of-sixteen-letters'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-packed-')))
// A blank in the path: no part may take it for the end of a word.
const project = join(folder, 'an agent')
const bin = join(project, 'node_modules', 'plimsoll', 'lib', 'cli', 'bin.cjs')

beforeAll(() => {
  chmodSync(folder, 0o755)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  npm(ROOT, 'pack', '--pack-destination', folder)
  const [name = ''] = readdirSync(folder).filter((item) => item.endsWith('.tgz'))
  npm(project, 'install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', join(folder, name))
  execFileSync('chmod', ['-R', 'a-w,a+rX', join(project, 'node_modules')])
})
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
})

test(`takes at most ${MOST_MIB} MiB once it is installed, and depends on nothing but what is native`, () => {
  expect(sizeOf(project) / 1024 / 1024).toBeLessThan(MOST_MIB)
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(installed.sort()).toEqual(['@libsql', '@neon-rs', 'detect-libc', 'libsql', 'plimsoll'])
})

describe.each(NODES)('the packed dashboard on Node %s', (version) => {
  const home = join(folder, `home-${version}`)
  const env = { PATH: process.env.PATH, HOME: home, PLIMSOLL_TOKEN: TOKEN, NODE_ENV: 'production' as const }
  const account = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  const options = { cwd: home, env, ...account }
  let node = ''
  beforeAll(() => {
    const program = process.platform === 'win32' ? 'node.exe' : 'node'
    node = join(unpackClient(`node-${SYSTEM}`, version), 'bin', program)
    mkdirSync(home, { mode: 0o777 })
    chmodSync(home, 0o777)
  })

  test('opens on what is there, as another account, from a folder that it may not write', async () => {
    const demo = spawnSync(node, [bin, 'demo'], { ...options, encoding: 'utf8' })
    expect(demo.stderr + demo.stdout).toContain('The demo')
    const child = spawn(node, [bin, '--port', '0'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let [said, noted] = ['', '']
    child.stdout.on('data', (text) => {
      said += text
    })
    child.stderr.on('data', (text) => {
      noted += text
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    try {
      await expect.poll(() => said + noted, { timeout: 120_000 }).toContain('Sign in with this link')
      const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\//.exec(said) ?? []
      const page = async (path: string) => {
        const response = await fetch(address + path, { headers: { Authorization: `Bearer ${TOKEN}` } })
        return { status: response.status, text: await response.text() }
      }
      await expect.poll(async () => (await page('sessions')).text, { timeout: 120_000 }).toContain('main')
      for (const path of ['', 'policies', 'stores', 'activity', 'memory', 'help'])
        expect((await page(path)).status, path).toBe(200)
      const { text } = await page('')
      for (const [, file = ''] of text.matchAll(/"(\/_next\/static\/[^"\\]+)"/g))
        expect((await page(file.slice(1))).status, file).toBe(200)
      expect(noted).not.toMatch(/error|cannot/i)
      const second = spawnSync(node, [bin, '--port', new URL(address).port], { ...options, encoding: 'utf8' })
      expect(second.status).toBe(3)
      expect(second.stderr).toContain('a Plimsoll that runs already')
    } finally {
      child.kill('SIGINT')
    }
    expect(await ended).toBe(0)
    const left = spawnSync('pgrep', ['-f', project], { encoding: 'utf8' })
    if (left.error === undefined) expect(left.stdout).toBe('')
  })
})

/** Bytes on the disk, as `du` counts them. */
function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.blocks * 512
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), statSync(path).blocks * 512)
}
