// @ts-check
// Declarations as they are shipped: those that the entries lead to, each import with the whole name of its file.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const IMPORT = /(\bfrom |\bimport\(|\bimport )(['"])([^'"]+)\2/g

/** A line of a comment, which may show an example. */
const COMMENT = /^\s*\*/

/**
 * Outside of bundlers, modules are found by their whole names, so that endings are written into the imports.
 * @param {string} folder where tsc left them
 * @param {readonly string[]} entries paths in it without their ending
 * @returns {Map<string, string>} path in the folder → text
 * @throws {Error} when one imports a package: an agent that installs the library alone does not have it
 */
export function reachableTypes(folder, entries) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const waiting = [...entries]
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    const path = `${module}.d.ts`
    if (found.has(path)) continue
    const text = readFileSync(join(folder, path), 'utf8')
    const withEndings = (/** @type {string} */ line) =>
      line.replace(IMPORT, (_, before, quote, name) => {
        if (!name.startsWith('.'))
          throw new Error(`types/${path} imports ${name}: its user has no such package`)
        waiting.push(posix.join(posix.dirname(path), name))
        return `${before}${quote}${name}.js${quote}`
      })
    const lines = text.split('\n').map((line) => (COMMENT.test(line) ? line : withEndings(line)))
    found.set(path, lines.join('\n'))
  }
  return found
}
