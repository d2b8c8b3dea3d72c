import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Inside the checkout, so that packages are found from there. */
const FOLDER = join(ROOT, 'node_modules', '.cache', 'plimsoll', 'e2e')

/**
 * Imports a module that leads to hundreds of others as one file: Playwright would compile each of them by itself.
 * @param entry a path from the root of the checkout
 */
export async function loadBundled<Module>(entry: string): Promise<Module> {
  mkdirSync(FOLDER, { recursive: true })
  // Two workers may want it at once.
  const outfile = join(FOLDER, `${basename(entry, '.ts')}.${process.pid}.mjs`)
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return import(pathToFileURL(outfile).href)
}
