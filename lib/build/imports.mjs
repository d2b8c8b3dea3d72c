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

const FRAMEWORKS =
  /^(next|react|react-dom|lucide-react|recharts|@tanstack\/|cmdk|server-only|client-only)(\/|$)/
const DATABASES = /^(@prisma\/|prisma|libsql|@libsql\/)/
const NO_DRIVER = new RegExp(`${FRAMEWORKS.source}|^(libsql$|@libsql/|@prisma/adapter-)`)
const DATABASE_ROOMS = ['lib/db', 'lib/db/queries', 'lib/db/commands', 'lib/db/sqlite', 'lib/db/generated']
const HOSTS = new RegExp(`${FRAMEWORKS.source}|${DATABASES.source}`)

/**
 * Rooms, and for each the rooms it may import from besides itself. `packages` are forbidden; `node: false` forbids
 * Node's own modules. The longest matching prefix names a file's room.
 * @type {Record<string, Rule>}
 */
const ROOMS = {
  app: { rooms: ['components', 'lib/server', 'lib/view', 'lib/core'], packages: DATABASES },
  'proxy.ts': { rooms: ['lib/server', 'lib/view', 'lib/core'], packages: DATABASES },
  'instrumentation.ts': { rooms: ['lib/server'], packages: DATABASES },
  components: { rooms: ['lib/view', 'lib/core'], packages: DATABASES, node: false },
  // React's memory of a render, and nothing else of it.
  'lib/server/process/once-per-render.ts': { rooms: [], packages: DATABASES },
  'lib/server': {
    rooms: [
      'lib/server/process/once-per-render.ts',
      'lib/compose',
      'lib/config',
      'lib/db',
      'lib/db/queries',
      'lib/db/commands',
      'lib/adapters',
      'lib/engine',
      'lib/view',
      'lib/core',
    ],
    packages: /^(react|react-dom|lucide-react|recharts)(\/|$)/,
  },
  'lib/cli': {
    rooms: ['lib/compose', 'lib/view', 'lib/config', 'lib/engine', 'lib/core', 'package.json'],
    packages: HOSTS,
  },
  // What the package offers to agents; nothing of ours imports it.
  'lib/public/index.ts': { rooms: ['lib/public/core.ts', 'lib/adapters'], packages: HOSTS },
  // Apart, since it brings a database.
  'lib/public/knowledge.ts': { rooms: ['lib/config', 'lib/db'], packages: FRAMEWORKS },
  'lib/public/core.ts': { rooms: ['lib/agent', 'lib/engine', 'lib/core'], packages: HOSTS, node: false },
  'lib/compose': {
    rooms: [
      'lib/config',
      'lib/adapters',
      ...DATABASE_ROOMS,
      'lib/demo',
      'lib/agent',
      'lib/engine',
      'lib/core',
    ],
    packages: FRAMEWORKS,
  },
  'lib/adapters': { rooms: ['lib/agent', 'lib/engine', 'lib/core', 'lib/demo'], packages: FRAMEWORKS },
  // The doors: they alone know which engine there is.
  'lib/db': { rooms: [...DATABASE_ROOMS, 'lib/engine', 'lib/core'], packages: NO_DRIVER },
  'lib/db/queries': { rooms: ['lib/db', 'lib/db/generated', 'lib/engine', 'lib/core'], packages: NO_DRIVER },
  'lib/db/commands': { rooms: ['lib/db', 'lib/db/queries', 'lib/engine', 'lib/core'], packages: NO_DRIVER },
  // What is SQLite's own.
  'lib/db/sqlite': { rooms: ['lib/db', 'lib/engine', 'lib/core'], packages: FRAMEWORKS },
  'lib/db/generated': { rooms: ['lib/db'] },
  'lib/config': { rooms: ['lib/core'], packages: HOSTS },
  'lib/agent': { rooms: ['lib/engine', 'lib/core'], packages: HOSTS, node: false },
  'lib/engine': { rooms: ['lib/core'], packages: HOSTS, node: false },
  'lib/view': { rooms: ['lib/core'], packages: HOSTS, node: false },
  'lib/demo': { rooms: ['lib/core'], packages: HOSTS, node: false },
  'lib/core': { rooms: [], packages: HOSTS, node: false },
}

/** Tests, fixtures and configuration may look anywhere. */
const FREE = /\.(test|spec|bench)\.tsx?$|^(lib\/testing|e2e|prisma)\/|\.config\.(ts|js|mjs)$/

/** @param {string} file */
function roomOf(file) {
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

/** A row of the table in engine's README: `| \`room\` | what lives there | \`room\` \`room\` |`. */
const ENGINE_ROW = /^\| `([a-z-]+)` \|.*\|([^|]*)\|$/gm

/**
 * The arrows between engine's rooms that the floor's README names.
 * @param {string} readme
 * @returns {Map<string, Set<string>>} a room, and the rooms that it may import
 */
export function namedArrows(readme) {
  const rows = [...readme.matchAll(ENGINE_ROW)]
  return new Map(
    rows.map(([, room = '', cells = '']) => [
      room,
      new Set([...cells.matchAll(/`([a-z-]+)`/g)].map(([, to = '']) => to)),
    ]),
  )
}

/**
 * What is wrong with an import between two rooms of engine, or null.
 * @param {Import} edge
 * @param {Map<string, Set<string>>} arrows see `namedArrows`
 * @returns {string | null}
 */
export function judgeEngineImport({ from, to }, arrows) {
  if (FREE.test(from)) return null
  const [here, there] = [from, to].map((path) => /^lib\/engine\/([a-z-]+)\//.exec(path)?.[1])
  if (here === undefined || there === undefined || here === there) return null
  return arrows.get(here)?.has(there)
    ? null
    : `${from} imports ${to}: lib/engine/README.md names no such arrow`
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
  const arrows = namedArrows(readFileSync(join(root, 'lib/engine/README.md'), 'utf8'))
  const findings = edges.flatMap((edge) => judgeImport(edge) ?? judgeEngineImport(edge, arrows) ?? [])
  const rings = findRings(edges).map((ring) => `ring: ${ring.join(' → ')}`)
  return { files, findings: [...findings, ...rings] }
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
