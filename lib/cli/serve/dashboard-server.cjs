// @ts-check
// The web server of the dashboard: what `next start` does, without looking for a configuration and without the other
// commands of Next.js. Started by `plimsoll serve` with --folder and --build (see web-server.ts), --hostname and --port.
const { createRequire } = require('node:module')
const { join, relative } = require('node:path')
const { parseArgs } = require('node:util')
const { compileLater } = require('../compile-later.cjs')

const text = /** @type {const} */ ({ type: 'string' })
const { folder, build, hostname, port } = parseArgs({
  options: { folder: text, build: text, hostname: text, port: text },
}).values
if (folder === undefined || build === undefined) throw new Error('--folder and --build are missing')

compileLater()
const requireThere = createRequire(join(folder, 'server.cjs'))
const { config } = requireThere(join(build, 'required-server-files.json'))
// What was built may have been moved since.
const here = { ...config, distDir: relative(folder, build) }
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(here)
// Sets up how React is found.
requireThere('next')
const { startServer } = requireThere('next/dist/server/lib/start-server')

startServer({ dir: folder, isDev: false, hostname, port: Number(port), allowRetry: false }).catch(
  (/** @type {unknown} */ error) => {
    console.error(error)
    process.exit(1)
  },
)
