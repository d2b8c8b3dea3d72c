// @ts-check
// The house rules for imports: arrows point down only, no rings. `npm run check` runs it over all sources.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { parseSync } from 'vite'

/**
 * @typedef {{ from: string, to: string }} Import `to` is a path of the checkout, or a package or Node module as written.
 * @typedef {{ rooms: readonly string[], packages?: RegExp, node?: false }} Rule what a room may know
 */

const FRAMEWORKS = /^(next|react|react-dom|recharts|@tanstack\/|cmdk|server-only|client-only)(\/|$)/
const DATABASES = /^(@prisma\/|prisma|libsql|@libsql\/)/

/**
 * Rooms, and for each the rooms it may import from besides itself. `packages` are forbidden; `node: false` forbids
 * Node's own modules. The longest matching prefix names a file's room.
 * @type {Record<string, Rule>}
 */
const ROOMS = {
  app: { rooms: ['components', 'lib/server', 'lib/view', 'lib/core'], packages: DATABASES },
  'proxy.ts': { rooms: ['lib/config', 'lib/core'], packages: DATABASES },
  'instrumentation.ts': { rooms: ['lib/server'], packages: DATABASES },
  components: { rooms: ['lib/view', 'lib/core'], packages: DATABASES, node: false },
  'lib/server': {
    rooms: ['lib/wire.ts', 'lib/config', 'lib/db', 'lib/adapters', 'lib/engine', 'lib/view', 'lib/core'],
    packages: /^(react|react-dom|recharts)(\/|$)/,
  },
  'lib/cli': {
    rooms: ['lib/wire.ts', 'lib/view', 'lib/config', 'lib/engine', 'lib/core', 'package.json'],
    packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`),
  },
  // What the package offers to agents; nothing of ours imports it.
  'lib/library.ts': {
    rooms: ['lib/library-core.ts', 'lib/adapters'],
    packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`),
  },
  // Apart, since it brings a database.
  'lib/library-knowledge.ts': { rooms: ['lib/config', 'lib/db'], packages: FRAMEWORKS },
  'lib/library-core.ts': {
    rooms: ['lib/engine', 'lib/core'],
    packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`),
    node: false,
  },
  'lib/wire.ts': {
    rooms: ['lib/wire', 'lib/config', 'lib/adapters', 'lib/db', 'lib/demo', 'lib/engine', 'lib/core'],
    packages: FRAMEWORKS,
  },
  'lib/wire': {
    rooms: ['lib/config', 'lib/adapters', 'lib/db', 'lib/engine', 'lib/core'],
    packages: FRAMEWORKS,
  },
  'lib/adapters': { rooms: ['lib/engine', 'lib/core', 'lib/demo'], packages: FRAMEWORKS },
  'lib/db': { rooms: ['lib/engine', 'lib/core'], packages: FRAMEWORKS },
  'lib/config': { rooms: ['lib/core'], packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`) },
  'lib/engine': {
    rooms: ['lib/core'],
    packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`),
    node: false,
  },
  'lib/view': {
    rooms: ['lib/core'],
    packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`),
    node: false,
  },
  'lib/demo': {
    rooms: ['lib/core'],
    packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`),
    node: false,
  },
  'lib/core': { rooms: [], packages: new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`), node: false },
}

/** Tests, fixtures and configuration may look anywhere. */
const FREE = /\.(test|spec|bench)\.tsx?$|^(lib\/testing|e2e|prisma)\/|\.config\.(ts|js|mjs)$/

/** @param {string} file */
export function roomOf(file) {
  // The parts of the wiring that are loaded on demand.
  if (file.startsWith('lib/wire/')) return 'lib/wire.ts'
  const match = Object.keys(ROOMS)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
  return match ?? file
}

/**
 * What is wrong with one import, or null.
 * @param {Import} edge
 * @returns {string | null}
 */
export function judgeImport({ from, to }) {
  if (FREE.test(from)) return null
  const rule = ROOMS[roomOf(from)]
  if (!rule) return null
  if (isBuiltin(to)) return rule.node === false ? `${from} imports ${to}: this room is pure` : null
  if (isPackage(to)) return rule.packages?.test(to) ? `${from} imports ${to}: not in this room` : null
  if (/^lib\/testing\//.test(to)) return `${from} imports ${to}: for tests only`
  const room = roomOf(to)
  if (room === roomOf(from) || rule.rooms.includes(room)) return null
  // Styles and pictures are no modules.
  return /\.(css|svg|png|json)$/.test(to) && !to.startsWith('lib/')
    ? null
    : `${from} imports ${to}: against the arrows`
}

/** @param {string} to */
function isPackage(to) {
  return !/^(app|components|lib|e2e|prisma|public)\/|^[\w.-]+\.(ts|tsx|js|mjs|json)$/.test(to)
}

/**
 * Rings of files that import each other, each as its members in order.
 * @param {readonly Import[]} edges
 * @returns {string[][]}
 */
export function findRings(edges) {
  /** @type {Map<string, string[]>} */
  const graph = new Map()
  for (const { from, to } of edges) graph.set(from, [...(graph.get(from) ?? []), to])
  /** @type {Map<string, 'open' | 'done'>} */
  const seen = new Map()
  /** @type {string[]} */
  const path = []
  /** @type {string[][]} */
  const rings = []
  const visit = (/** @type {string} */ file) => {
    seen.set(file, 'open')
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      if (seen.get(next) === 'open') rings.push([...path.slice(path.indexOf(next)), next])
      else if (!seen.has(next)) visit(next)
    }
    path.pop()
    seen.set(file, 'done')
  }
  for (const file of graph.keys()) if (!seen.has(file)) visit(file)
  return rings
}

/**
 * Imports of one source text, type imports included: they are dependencies as well.
 * @param {string} file path in the checkout
 * @param {string} text
 * @returns {string[]} specifiers as written
 */
export function importsOf(file, text) {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return [
    ...module.staticImports.map((item) => item.moduleRequest.value),
    ...module.staticExports.flatMap((item) =>
      item.entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
    ),
    // Only literal names; a computed one cannot be followed.
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const name = /^(['"])([^'"]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))
      return name?.[2] ?? []
    }),
  ]
}

/**
 * Reads all sources below `root` and answers what breaks the rules.
 * @param {string} root
 */
export function checkImports(root) {
  const files = ['app', 'components', 'lib', 'proxy.ts', 'instrumentation.ts'].flatMap((place) =>
    list(root, place),
  )
  /** @type {Import[]} */
  const edges = files.flatMap((from) =>
    importsOf(from, readFileSync(join(root, from), 'utf8')).map((name) => ({
      from,
      to: resolve(root, from, name),
    })),
  )
  const findings = edges.flatMap((edge) => judgeImport(edge) ?? [])
  const rings = findRings(edges).map((ring) => `ring: ${ring.join(' → ')}`)
  return { files: files.length, findings: [...findings, ...rings] }
}

/** @param {string} root @param {string} place @returns {string[]} */
function list(root, place) {
  const stat = statSync(join(root, place), { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return /\.(ts|tsx|mjs)$/.test(place) ? [place] : []
  if (place === 'lib/db/generated') return []
  return readdirSync(join(root, place)).flatMap((name) => list(root, `${place}/${name}`))
}

/** @param {string} root @param {string} from @param {string} name */
function resolve(root, from, name) {
  if (!/^(\.|@\/)/.test(name)) return name
  const target = name.startsWith('@/') ? join(root, name.slice(2)) : join(root, dirname(from), name)
  const hit = ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts'].find((end) =>
    statSync(target + end, { throwIfNoEntry: false })?.isFile(),
  )
  return relative(root, target + (hit ?? ''))
    .split(sep)
    .join('/')
}
