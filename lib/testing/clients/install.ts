import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Installs one pinned client from npm into a folder outside of the project, once, without running its install
 * scripts. Returns the folder of the package.
 */
export function installClient(name: string, version: string): string {
  const root = process.env.PLIMSOLL_TOOLS ?? join(tmpdir(), 'plimsoll-tools')
  const folder = join(root, `${name.replaceAll('/', '+')}@${version}`)
  const installed = join(folder, 'node_modules', ...name.split('/'))
  if (existsSync(join(installed, 'package.json'))) return installed
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], {
    cwd: folder,
    stdio: 'ignore',
  })
  return installed
}
