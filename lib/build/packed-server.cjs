// @ts-check
// The web server of the packed dashboard, put beside its build (see pack-dashboard.mjs): what `next start` does, without
// looking for a configuration. Started by `plimsoll serve` with --hostname and --port.
const { join } = require('node:path')
const { parseArgs } = require('node:util')

const { hostname, port } = parseArgs({
  options: { hostname: { type: 'string' }, port: { type: 'string' } },
}).values
const { config } = require('./.next/required-server-files.json')
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
// Sets up how React is found.
require('next')
const { startServer } = require('next/dist/server/lib/start-server')

startServer({ dir: join(__dirname), isDev: false, hostname, port: Number(port), allowRetry: false }).catch(
  (/** @type {unknown} */ error) => {
    console.error(error)
    process.exit(1)
  },
)
