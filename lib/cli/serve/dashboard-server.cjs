// @ts-check
// The web server of the dashboard: what `next start` does, without looking for a configuration and without the other
// commands of Next.js. Started by `plimsoll serve` with --folder and --build (see web-server.ts), --hostname and --port.
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { setFlagsFromString } = require('node:v8')

/**
 * How much of a function V8 runs before it compiles it anew, faster: bytes of its bytecode, seven times the default. Most
 * of what a page needs runs a few times: compiling that was an eighth of the processor time of a start and its first
 * thirty pages, and answers came no later without it. From V8 12 on (Node 22) a cheaper compiler comes first, and that of
 * Node 24 does not know the flag.
 */
const INTERRUPT_BUDGET = 1_000_000
const KNOWS_FLAG = Number.parseInt(process.versions.v8, 10) < 12

const text = /** @type {const} */ ({ type: 'string' })
const { folder, build, hostname, port } = parseArgs({
  options: { folder: text, build: text, hostname: text, port: text },
}).values
if (folder === undefined || build === undefined) throw new Error('--folder and --build are missing')

if (KNOWS_FLAG) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
const requireThere = createRequire(join(folder, 'server.cjs'))
const { config } = requireThere(join(build, 'required-server-files.json'))
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
// Sets up how React is found.
requireThere('next')
const { startServer } = requireThere('next/dist/server/lib/start-server')

startServer({ dir: folder, isDev: false, hostname, port: Number(port), allowRetry: false }).catch(
  (/** @type {unknown} */ error) => {
    console.error(error)
    process.exit(1)
  },
)
