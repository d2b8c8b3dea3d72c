// @ts-check
// Entry of `npm run pack:agent`: leaves the library as a package in dist/packages, to be installed or published.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { root, runNpm, say } from './project.mjs'

const PACKAGES = join(root, 'dist', 'packages')

// Another folder for the package, as the tests want it.
const folder = resolve(process.argv[2] ?? PACKAGES)

await ensureDependencies()
const { compileMachines } = await import('./byte-machines.mjs')
const { buildLibrary, LIBRARY } = await import('./build-library.mjs')
await compileMachines()
await buildLibrary()
mkdirSync(folder, { recursive: true })
const packed = () => readdirSync(folder).filter((name) => /^plimsoll-agent-.*\.tgz$/.test(name))
for (const name of packed()) rmSync(join(folder, name))
const code = await runNpm(['pack', LIBRARY, '--pack-destination', folder, '--loglevel=error'], {
  quiet: true,
})
if (code !== 0) throw new Error(`npm pack failed with exit code ${code}; its messages are above`)
for (const name of packed()) say(relative(root, join(folder, name)))
