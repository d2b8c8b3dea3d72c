import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder outside of the project for one pinned package. */
function folderFor(name: string, version: string): string {
  const root = process.env.PLIMSOLL_TOOLS ?? join(tmpdir(), 'plimsoll-tools')
  return join(root, `${name.replaceAll('/', '+')}@${version}`)
}

/**
 * Fetches one pinned package from npm, once, without what it depends on. Returns the folder of the package.
 */
export function unpackClient(name: string, version: string): string {
  const folder = folderFor(name, version)
  const unpacked = join(folder, 'package')
  if (existsSync(join(unpacked, 'package.json'))) return unpacked
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
  })
  execFileSync('tar', ['xzf', archive.trim()], { cwd: folder })
  return unpacked
}

/**
 * Installs one pinned client from npm into a folder outside of the project, once, without running its install
 * scripts. Returns the folder of the package.
 */
export function installClient(name: string, version: string): string {
  const folder = folderFor(name, version)
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
