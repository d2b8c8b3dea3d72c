// @ts-check
import { readFile } from 'node:fs/promises'
import { root } from './project.mjs'

/** Where the list of models begins in the module of the package, and what follows it. */
const LIST = /^const (\w+) = (\[\n[\s\S]*?\n\]), (?=\w+ = \{)/

const PACKAGE = '@pydantic/genai-prices'
/** The package itself, as the module below asks for it. */
const ITSELF = `${PACKAGE}?itself`

/**
 * The list of models and prices is half of the library's code, written as a literal, and the package makes tables of it
 * when it is loaded. Each start of an agent would wait for both: so the list becomes a text that `JSON.parse` takes, which
 * is read several times faster, without what `calcPrice` never looks at, and the package is loaded when the first model
 * is looked up.
 * @type {import('esbuild').Plugin}
 */
export const priceDataOnDemand = {
  name: 'price-data-on-demand',
  setup(build) {
    build.onResolve({ filter: /^@pydantic\/genai-prices$/ }, ({ pluginData }) =>
      pluginData === ITSELF ? undefined : { path: PACKAGE, namespace: 'on-demand' },
    )
    build.onResolve({ filter: /^@pydantic\/genai-prices\?itself$/ }, () =>
      build.resolve(PACKAGE, { kind: 'import-statement', resolveDir: root, pluginData: ITSELF }),
    )
    build.onLoad({ filter: /.*/, namespace: 'on-demand' }, () => ({
      contents: `export const calcPrice = (...args) => require('${ITSELF}').calcPrice(...args)`,
      resolveDir: root,
    }))
    build.onLoad({ filter: /@pydantic[/\\]genai-prices[/\\]dist[/\\]index\.js$/ }, async ({ path }) => ({
      contents: listAsText(await readFile(path, 'utf8')),
    }))
  },
}

/** What is said of providers and models for people to read, and for other functions than `calcPrice`. */
const UNREAD = new Set([
  'description',
  'extractors',
  'name',
  'price_comments',
  'prices_checked',
  'pricing_urls',
])

/**
 * The module with its list as a text. The literal is evaluated here, and taken only if JSON says all that it holds.
 * @param {string} code
 */
export function listAsText(code) {
  const match = LIST.exec(code)
  if (match === null) return code
  const [head, name, literal] = match
  /** @type {unknown} */
  const list = new Function(`return ${literal}`)()
  const json = JSON.stringify(list, (field, value) => (UNREAD.has(field) ? undefined : value))
  if (!isPlain(list)) return code
  return `const ${name} = JSON.parse(${JSON.stringify(json)});\nconst ${code.slice(head.length)}`
}

/** Whether a value is made of nothing but what JSON has. @param {unknown} value @returns {boolean} */
function isPlain(value) {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (Array.isArray(value)) return value.every(isPlain)
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).every(isPlain)
    : false
}
