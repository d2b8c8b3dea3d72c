import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../..')

/** Builds the file of the threads that replay, as the command line has it. `remove` takes it away again. */
export function buildReplayWorker(): { readonly file: string; readonly remove: () => void } {
  // Inside the checkout, so that the packages left out of the bundle are found.
  const built = mkdtempSync(join(ROOT, 'node_modules', '.plimsoll-replay-'))
  writeFileSync(join(built, 'package.json'), '{"type":"module"}')
  buildSync({
    absWorkingDir: ROOT,
    ...{ entryPoints: ['lib/compose/replay/replay-worker.ts'], outdir: built, bundle: true, format: 'esm' },
    ...{ platform: 'node', target: 'node20', logLevel: 'warning' },
    external: ['libsql', '@libsql/*', '@prisma/*', 'js-tiktoken', 'js-tiktoken/*'],
    banner: {
      js: `import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);`,
    },
  })
  return {
    file: join(built, 'replay-worker.js'),
    remove: () => rmSync(built, { recursive: true, force: true }),
  }
}
