// @ts-check
// Entry of `npm start`: from a fresh clone to a dashboard that answers. Arguments go to `plimsoll serve`.
import { endWithNpm } from '../cli/end-with-npm.cjs'
import { ensureDependencies } from './dependencies.mjs'

const MINIMUM = /** @type {const} */ ([20, 19])
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  process.stderr.write(`Plimsoll needs Node ${MINIMUM.join('.')} or newer; this is ${process.version}.\n`)
  process.exit(2)
}

endWithNpm()
await ensureDependencies()
// Imported late: it needs what has just been installed.
const { buildServed } = await import('./build.mjs')
await buildServed()
process.argv.splice(2, 0, 'serve')
await import('../cli/bin.cjs')
