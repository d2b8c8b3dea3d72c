import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs npm in a folder; started by it, we know its own script, and need no shell where it is `npm.cmd`. */
export function npm(folder: string, ...args: string[]): void {
  const script = process.env.npm_execpath
  const options = { cwd: folder, stdio: 'pipe' } as const
  if (script?.endsWith('.js')) execFileSync(process.execPath, [script, ...args], options)
  else execFileSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/**
 * Packs the library as `npm run pack:agent` does and installs the package into an empty folder, without a network.
 * @param root the checkout
 * @returns the package's folder
 */
export function installPackedAgent(root: string, folder: string): string {
  const packages = join(folder, 'packages')
  execFileSync(process.execPath, [join(root, 'lib', 'build', 'pack-agent.mjs'), packages], { stdio: 'pipe' })
  const [name = ''] = readdirSync(packages)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(folder, 'install', '--offline', '--omit=dev', '--no-audit', '--no-fund', join(packages, name))
  return join(folder, 'node_modules', 'plimsoll-agent')
}
