// @ts-check
// `npm run build`: database client, library, command line and dashboard, each only when something it is made of has changed.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, isAbsolute, join, sep } from 'node:path'
import { keptActionsKey } from './actions-key.mjs'
import { buildLibrary } from './build-library.mjs'
import { compileMachines } from './byte-machines.mjs'
import { PRISMA_ENV } from './dependencies.mjs'
import { hashInputs, isCurrent, markCurrent } from './inputs.mjs'
import { root, run, runTool, say } from './project.mjs'

const GENERATED = 'lib/db/generated'
const LOCKS = ['package.json', 'package-lock.json', 'prisma/schema.prisma']

/** How TypeScript of this checkout becomes something that Node runs. */
export const COMMON_BUILD = /** @satisfies {import('esbuild').BuildOptions} */ ({
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // Native, large or self-locating packages stay where npm put them.
  external: [
    'next',
    'libsql',
    '@prisma/*',
    '@libsql/*',
    'js-tiktoken',
    'js-tiktoken/*',
    'esbuild',
    '@playwright/test',
  ],
  // Bundled CommonJS packages ask for `require`, which ES modules do not have.
  banner: {
    js: `import{createRequire as makeBundleRequire}from'node:module';const require=makeBundleRequire(import.meta.url);`,
  },
})

/** Folder of the dashboard's build; PLIMSOLL_DIST moves it, as in next.config.js. */
export function webFolder() {
  const folder = process.env.PLIMSOLL_DIST || '.next'
  return isAbsolute(folder) ? folder : join(root, folder)
}

/** @param {string} name @param {number} code */
function demand(name, code) {
  if (code !== 0) throw new Error(`${name} failed with exit code ${code}; its messages are above`)
}

/** The typed database client, generated from prisma/schema.prisma. */
export async function generateClient() {
  const stamp = join(root, GENERATED, '.inputs')
  const hash = hashInputs(LOCKS)
  if (isCurrent(stamp, hash)) return
  say('Generating the database client …')
  const options = { env: PRISMA_ENV, quiet: true }
  demand('prisma generate', await runTool('prisma/build/index.js', ['generate'], options))
  markCurrent(stamp, hash)
}

const VERBS = 'lib/cli/verbs'
const WARM_UP = join(root, 'lib', 'build', 'warm-up.mjs')

/**
 * Puts each verb into its own file, which needs no other: finding and linking many small files takes longer than
 * reading one. Sources lie in rooms; what is built lies in one folder, so no two have the same name.
 * @type {import('esbuild').Plugin}
 */
const separateVerbs = {
  name: 'separate-verbs',
  setup(build) {
    // What a verb seldom needs is imported in this way too, and left to another file there.
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      const verbs = join(root, VERBS)
      if (kind !== 'dynamic-import' || !join(resolveDir, path).startsWith(verbs + sep)) return undefined
      const folder = resolveDir.startsWith(verbs) ? '.' : './verbs'
      return { path: `${folder}/${basename(path)}.cjs`, external: true }
    })
  },
}

/** The files of all verbs, relative to the checkout. */
function verbFiles() {
  const files = readdirSync(join(root, VERBS), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|[\\/])[a-z-]+\.ts$/.test(name))
    .map((name) => `${VERBS}/${name.replaceAll(sep, '/')}`)
  const names = files.map((file) => basename(file))
  const twice = files.find((file) => names.indexOf(basename(file)) !== names.lastIndexOf(basename(file)))
  if (twice !== undefined)
    throw new Error(`${twice} has the name of another verb; what is built lies in one folder`)
  return files
}

/**
 * Parts that many runs never need, as modules that load the real one, from its own file, when it is first called: what
 * a verb reads is JSON far more often than anything else, and even passing over these takes as long as starting Node.
 * The list of models is half a megabyte, and only asked where neither runtime nor operator name window and cost.
 * @type {Record<string, string>}
 */
const RARE_PARTS = {
  yaml: `
    let loaded
    const real = () => (loaded ??= require('./rare/yaml.cjs'))
    const call = (name) => (...given) => real()[name](...given)
    export const isAlias = call('isAlias')
    export const isMap = call('isMap')
    export const isScalar = call('isScalar')
    export const isSeq = call('isSeq')
    export const parseDocument = call('parseDocument')
    export const stringify = call('stringify')
    export const CST = { tokenType: (...given) => real().CST.tokenType(...given) }
    export function Lexer() { return new (real().Lexer)() }
    export function LineCounter() { return new (real().LineCounter)() }`,
  json5: `
    let loaded
    const real = () => (loaded ??= require('./rare/json5.cjs'))
    export default { parse: (...given) => real().parse(...given), stringify: (...given) => real().stringify(...given) }`,
  '@pydantic/genai-prices': `
    let loaded
    const real = () => (loaded ??= require('./rare/genai-prices.cjs'))
    export const calcPrice = (...given) => real().calcPrice(...given)`,
  'js-tiktoken/ranks/o200k_base': `export default require('./rare/o200k_base.cjs').default`,
  'js-tiktoken/ranks/cl100k_base': `export default require('./rare/cl100k_base.cjs').default`,
}

const RARE = new RegExp(`^(${Object.keys(RARE_PARTS).join('|')})$`)

/** @type {import('esbuild').Plugin} */
const rareParts = {
  name: 'rare-parts',
  setup(build) {
    build.onResolve({ filter: RARE }, ({ path }) => ({
      path,
      namespace: 'rare-parts',
    }))
    build.onResolve({ filter: /^\.\/rare\// }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /.*/, namespace: 'rare-parts' }, ({ path }) => ({
      contents: RARE_PARTS[path],
    }))
  },
}

/** The command line, bundled so that it starts fast: one small file first, each verb's parts on demand. */
async function buildCommandLine() {
  const folder = join(root, 'dist', 'cli')
  const stamp = join(folder, '.inputs')
  const hash = hashInputs([...LOCKS, 'tsconfig.json', 'lib'], [GENERATED])
  if (isCurrent(stamp, hash)) return
  say('Building the command line …')
  const { build, stop } = await import('esbuild')
  const fresh = `${folder}.${process.pid}`
  const common = /** @satisfies {import('esbuild').BuildOptions} */ ({
    ...COMMON_BUILD,
    // The one package that is installed beside ours: it is native.
    external: ['libsql'],
    // As lib/cli/load-script.cjs loads them.
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    banner: { js: `const bundleUrl=require('node:url').pathToFileURL(__filename).href;` },
    define: { 'import.meta.url': 'bundleUrl' },
    // Less text to compile at each start.
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    // All that comes later is required, so that it comes the same way: what was compiled before has forgotten how
    // modules are imported (Node 20).
    supported: { 'dynamic-import': false },
  })
  await build({
    ...common,
    entryPoints: { plimsoll: 'lib/cli/main.ts' },
    outdir: fresh,
    plugins: [separateVerbs, rareParts],
  })
  await build({
    ...common,
    entryPoints: verbFiles(),
    entryNames: '[name]',
    outdir: join(fresh, 'verbs'),
    plugins: [separateVerbs, rareParts],
  })
  await build({
    ...COMMON_BUILD,
    minify: true,
    // The threads of an import and of a replay find their file beside the verb that starts them.
    entryPoints: ['lib/compose/ingest/import-worker.ts', 'lib/compose/replay/replay-worker.ts'],
    entryNames: '[name]',
    outdir: join(fresh, 'verbs'),
    plugins: [rareParts],
  })
  await build({
    ...common,
    entryPoints: Object.keys(RARE_PARTS).map((name) => ({ in: name, out: basename(name) })),
    outdir: join(fresh, 'verbs', 'rare'),
  })
  demand('the warm-up', await run(process.execPath, [WARM_UP, join(fresh, 'plimsoll.cjs')]))
  // Its helper process would live as long as ours, which may go on to serve.
  await stop()
  markCurrent(join(fresh, '.inputs'), hash)
  const old = `${fresh}.old`
  mkdirSync(folder, { recursive: true })
  renameSync(folder, old)
  renameSync(fresh, folder)
  rmSync(old, { recursive: true, force: true })
}

/** The dashboard. @param {boolean} keepSteps the next build is made of what has changed since this one */
async function buildWeb(keepSteps) {
  const stamp = join(webFolder(), 'plimsoll-inputs')
  const hash = hashInputs(
    [
      ...LOCKS,
      'tsconfig.json',
      'next.config.js',
      'postcss.config.mjs',
      'proxy.ts',
      'instrumentation.ts',
    ].concat(['app', 'components', 'public', 'lib']),
    [GENERATED, 'lib/build', 'lib/cli', 'lib/testing'],
  )
  if (isCurrent(stamp, hash)) return
  say('Building the dashboard …')
  rmSync(stamp, { force: true })
  const options = {
    env: {
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
      ...(keepSteps && {
        PLIMSOLL_KEEP_STEPS: '1',
        NEXT_SERVER_ACTIONS_ENCRYPTION_KEY:
          process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY || keptActionsKey(webFolder()),
      }),
    },
    quiet: true,
  }
  demand('next build', await runTool('next/dist/bin/next', ['build'], options))
  markCurrent(stamp, hash)
}

/**
 * Builds what `npm start` needs, as far as it is not up to date: the command line and the dashboard, side by side, since
 * each of them uses one core alone for part of its time.
 * @param {{ keepSteps?: boolean }} [options]
 */
export async function buildServed({ keepSteps = false } = {}) {
  await generateClient()
  await compileMachines()
  // Both end before a failure is said: what still runs would go on without us.
  const ended = await Promise.allSettled([buildWeb(keepSteps), buildCommandLine()])
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** Builds everything that is not up to date. @param {{ keepSteps?: boolean }} [options] */
export async function buildAll(options) {
  await buildServed(options)
  await buildLibrary()
}
