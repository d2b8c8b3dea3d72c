// @ts-check
// The dashboard as a part of the package: its build, and of other packages exactly the files that Next.js saw it use
// while building. So whoever installs Plimsoll installs neither Next.js nor React, and what runs is what was built.
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { webFolder } from './build.mjs'
import { hashInputs, isCurrent, markCurrent } from './inputs.mjs'
import { licencesOf } from './licences.mjs'
import { root, say } from './project.mjs'

/** Where it is: beside the command line, which starts it when there is no other build. */
const DASHBOARD = join(root, 'dist', 'dashboard')

/** What it is made by, besides the build. */
const MADE_BY = ['licences', 'pack-dashboard'].map((name) => `lib/build/${name}.mjs`)

/** Parts of a build that only building needs: caches, traces, source maps, types. */
const NOT_TO_SERVE =
  /^(build|cache|dev|diagnostics|lock|node_modules|plimsoll-inputs|standalone|trace.*|turbopack|types)$/
const NOT_TO_RUN = /\.(map|nft\.json|d\.ts)$/

/**
 * Packages that are not copied: what is native is installed for the system that it is installed on, and pictures are
 * served as they are.
 */
const INSTALLED = /^(libsql|@libsql\/(darwin|linux|win32)-.*|@neon-rs\/.*|detect-libc|sharp|@img\/.*)$/

/** Packages in what browsers get that the server has nothing of, and so no source map names. */
const ONLY_IN_BROWSERS = [
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  'cmdk',
  'tailwindcss',
].map((name) => `node_modules/${name}/package.json`)

/** What the server requires for `next dev`, or never, and a trace would follow; as Next.js leaves it out of its trace. */
const ONLY_IN_DEVELOPMENT =
  /next\/dist\/compiled\/(next-server\/.*\.dev\.js|webpack\/|@mswjs\/)|next\/dist\/(lib\/upgrade|pages|server\/lib\/route-resolver)|react[^/]*\/.*\.development\.js$|node_modules\/(webpack5|@next\/swc|typescript|caniuse-lite)/

/** Assembles `dist/dashboard` from the build of the dashboard, and the page of licences beside it. */
export async function packDashboard() {
  const web = webFolder()
  const hash = readFileSync(join(web, 'plimsoll-inputs'), 'utf8') + hashInputs(MADE_BY)
  const stamp = join(DASHBOARD, '.inputs')
  if (isCurrent(stamp, hash)) return
  say('Putting the dashboard together …')
  const fresh = `${DASHBOARD}.${process.pid}`
  try {
    copyBuild(web, join(fresh, '.next'))
    const traced = [...new Set([...tracedFiles(web), ...(await serverFiles())])].sort()
    for (const file of traced) copyInto(fresh, file)
    for (const link of linksOf(join(web, 'node_modules'))) copyLinked(web, fresh, link, traced)
    cpSync(join(root, 'public'), join(fresh, 'public'), { recursive: true })
    writeFileSync(
      join(fresh, 'THIRD-PARTY.md'),
      licencesOf([...traced, ...bundledFiles(web), ...ONLY_IN_BROWSERS]),
    )
    markCurrent(join(fresh, '.inputs'), hash)
    rmSync(DASHBOARD, { recursive: true, force: true })
    renameSync(fresh, DASHBOARD)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** @param {string} web @param {string} to */
function copyBuild(web, to) {
  for (const item of readdirSync(web)) {
    if (NOT_TO_SERVE.test(item)) continue
    cpSync(join(web, item), join(to, item), { recursive: true, filter: (path) => !NOT_TO_RUN.test(path) })
  }
  // Next.js writes down where it was built, which is of no use elsewhere.
  rmSync(join(to, 'required-server-files.js'), { force: true })
  const manifest = join(to, 'required-server-files.json')
  const { config } = JSON.parse(readFileSync(manifest, 'utf8'))
  const text = JSON.stringify({ config: { ...config, distDir: './.next' } })
  writeFileSync(manifest, text.replaceAll(JSON.stringify(join(root, '.')).slice(1, -1), '.'))
}

/**
 * Files of packages that pages and server were seen to use, as paths in the checkout.
 * @param {string} web
 */
function tracedFiles(web) {
  const traces = [
    ...filesBelow(join(web, 'server')).filter((file) => file.endsWith('.nft.json')),
    join(web, 'next-server.js.nft.json'),
  ]
  /** @type {Set<string>} */
  const found = new Set()
  for (const trace of traces) {
    const { files } = /** @type {{ files: string[] }} */ (JSON.parse(readFileSync(trace, 'utf8')))
    for (const file of files) {
      const path = relative(root, resolve(dirname(trace), file))
        .split(sep)
        .join('/')
      if (isToCopy(path)) found.add(path)
    }
  }
  return [...found]
}

/** What our own start of the server requires, which a build does not trace. Words of Next.js's list for the same. */
async function serverFiles() {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  const entries = ['lib/start-server', 'next', 'require-hook'].map((name) =>
    join(root, 'node_modules', 'next', 'dist', 'server', `${name}.js`),
  )
  const { fileList } = await nodeFileTrace(entries, {
    base: root,
    // Files that are read are in the trace of the build.
    analysis: { emitGlobs: false, computeFileReferences: false, evaluatePureExpressions: false },
    ignore: (/** @type {string} */ path) => ONLY_IN_DEVELOPMENT.test(path),
  })
  return [.../** @type {Set<string>} */ (fileList)].map((path) => path.split(sep).join('/')).filter(isToCopy)
}

/** @param {string} path in the checkout */
function isToCopy(path) {
  const name = packageOf(path)
  return name !== null && !INSTALLED.test(name) && !NOT_TO_RUN.test(path)
}

/** The package whose file it is; null for one of ours. @param {string} path */
function packageOf(path) {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? null
}

/** @param {string} folder @param {string} path in the checkout */
function copyInto(folder, path, to = path) {
  const target = join(folder, to)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(root, path), target)
}

/**
 * Names below `.next/node_modules`: packages that are loaded and not bundled are called by a name of this build there,
 * which is a link to the real one. Packages of npm hold no links.
 * @param {string} folder
 * @returns {string[]}
 */
function linksOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((item) =>
    item.isDirectory() ? linksOf(join(folder, item.name)).map((name) => `${item.name}/${name}`) : [item.name],
  )
}

/** @param {string} web @param {string} fresh @param {string} link @param {readonly string[]} traced */
function copyLinked(web, fresh, link, traced) {
  const name = link.replace(/-[0-9a-f]{16}$/, '')
  const folder = join('.next', 'node_modules', link)
  if (!lstatSync(join(web, 'node_modules', link)).isSymbolicLink() || name === link)
    throw new Error(`${folder} is no link to a package, as it was with the Next.js that this was written for`)
  if (INSTALLED.test(name)) {
    mkdirSync(join(fresh, folder), { recursive: true })
    writeFileSync(join(fresh, folder, 'index.js'), `module.exports = require('${name}')\n`)
    return
  }
  const inside = `node_modules/${name}/`
  for (const path of traced) {
    if (path.startsWith(inside)) copyInto(fresh, path, join(folder, path.slice(inside.length)))
  }
}

/** Sources of what is bundled, from the source maps of dashboard and command line. @param {string} web */
function bundledFiles(web) {
  const maps = [join(web, 'server'), join(root, 'dist', 'cli')].flatMap(filesBelow)
  return (
    maps
      .filter((file) => file.endsWith('.map'))
      .flatMap(
        (file) =>
          /** @type {{ sources?: string[] }} */ (JSON.parse(readFileSync(file, 'utf8'))).sources ?? [],
      )
      // They are addresses; and a package that was bundled before names sources as they lay at its authors'.
      .flatMap((source) => /node_modules\/.*/.exec(source.replaceAll('%40', '@')) ?? [])
      .filter((path) => existsSync(join(root, 'node_modules', packageOf(path) ?? '.', 'package.json')))
  )
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
}
