// @ts-check
// The library as a package: what `import … from 'plimsoll-agent'` and `… from 'plimsoll'` answer with, `/core` and
// `/knowledge` of both, and their types. There is one build: `plimsoll` has it in dist/library and exports it from there.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { hashInputs, isCurrent, markCurrent } from './inputs.mjs'
import { licencesOf } from './licences.mjs'
import { priceDataOnDemand } from './price-data.mjs'
import { root, runTool, say } from './project.mjs'
import { reachableTypes } from './reachable-types.mjs'

/** Where it is. */
export const LIBRARY = join(root, 'dist', 'library')

const ENTRIES = /** @type {const} */ (['index', 'core', 'knowledge'])
const PAGES = 'lib/public/package'
const SURFACE = 'lib/public/api.md'

/** Files that the code looks for beside itself. */
const BESIDE = ['lib/adapters/sqlite/child.cjs', 'prisma/migrations/sqlite']

/** Rooms that the library has nothing of. */
const WITHOUT = ['lib/db/generated', 'lib/cli', 'lib/server', 'lib/view', 'lib/testing', 'lib/compose']

/** Builds the library into `dist/library`, unless what it is made of has not changed. One process at a time. */
export async function buildLibrary() {
  const hash = hashInputs(
    ['package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE', 'lib', 'prisma/migrations'],
    WITHOUT,
  )
  const stamp = join(LIBRARY, '.inputs')
  if (isCurrent(stamp, hash)) return
  mkdirSync(dirname(LIBRARY), { recursive: true })
  await alone(async () => {
    // Another process may have been faster.
    if (isCurrent(stamp, hash)) return
    say('Building the library …')
    const fresh = `${LIBRARY}.${process.pid}`
    try {
      await fill(fresh)
      markCurrent(join(fresh, '.inputs'), hash)
      rmSync(LIBRARY, { recursive: true, force: true })
      renameSync(fresh, LIBRARY)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  })
}

const LOCK = `${LIBRARY}.lock`

/** Several test files ask for the library at once: whoever reads it must not have it taken away. @param {() => Promise<void>} work */
async function alone(work) {
  while (!takeLock()) await setTimeout(100)
  try {
    await work()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!isRunning(holder())) rmSync(LOCK, { force: true })
    return false
  }
}

/** The process that has the lock; this one when it was just given back. */
function holder() {
  try {
    return Number(readFileSync(LOCK, 'utf8')) || process.pid
  } catch {
    return process.pid
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** @param {string} folder absolute path */
async function fill(folder) {
  await Promise.all([writeCode(folder), writeTypes(join(folder, 'types'))])
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, PAGES), folder, { recursive: true })
  cpSync(join(root, SURFACE), join(folder, 'api.md'))
  for (const path of BESIDE) cpSync(join(root, path), join(folder, path), { recursive: true })
}

/** @param {string} folder */
async function writeCode(folder) {
  const { build, stop } = await import('esbuild')
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(ENTRIES.map((name) => [name, `lib/public/${name}.ts`])),
    outdir: folder,
    bundle: true,
    // The entries share their classes.
    splitting: true,
    chunkNames: 'part-[hash]',
    format: 'esm',
    // The core runs in browsers as well, so packages are taken as they are made for anywhere.
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:*'],
    plugins: [priceDataOnDemand],
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    // They are all in one file.
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  mkdirSync(folder, { recursive: true })
  for (const { path, text } of outputFiles) writeFileSync(path, asAscii(text))
  // Its helper process would live as long as ours.
  await stop()
  writeFileSync(join(folder, 'THIRD-PARTY.md'), licencesOf(Object.keys(metafile.inputs)))
}

/**
 * A file with a single character beyond Latin-1 is held and read with two bytes for each of its characters. Only
 * patterns still have some after the bundler, and mean the same with an escape.
 * @param {string} code
 */
const asAscii = (code) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
  code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function manifest() {
  const { version, license, engines, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const entry = (/** @type {string} */ name) => ({
    types: `./types/public/${name}.d.ts`,
    default: `./${name}.js`,
  })
  return {
    name: 'plimsoll-agent',
    version,
    description: 'Keeps the context of an LLM agent within its window: any message form, nothing lost.',
    keywords: ['llm', 'agent', 'context', 'context-window', 'compaction', 'tokens'],
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': entry('index'),
      './core': entry('core'),
      './knowledge': entry('knowledge'),
      './package.json': './package.json',
    },
    files: ['*.js', '*.md', 'types', 'lib', 'prisma'],
    peerDependencies: { libsql: `^${dependencies.libsql}` },
    peerDependenciesMeta: { libsql: { optional: true } },
  }
}

/**
 * Writes the declarations that the entries need, and no others.
 * @param {string} folder
 */
async function writeTypes(folder) {
  const all = `${folder}.all`
  const code = await runTool('typescript/bin/tsc', ['-p', 'lib/public/tsconfig.json', '--outDir', all])
  if (code !== 0) throw new Error(`tsc failed with exit code ${code}; its messages are above`)
  for (const [path, text] of reachableTypes(
    all,
    ENTRIES.map((name) => `public/${name}`),
  )) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  rmSync(all, { recursive: true })
}
