// @ts-check
// What Stryker wrote about each mutant, with the text that it changed.
import { readFileSync } from 'node:fs'

/** @typedef {{ line: number, column: number }} Place both counted from 1 */
/**
 * @typedef {{
 *   path: string, key: string, status: string, mutatorName: string,
 *   location: { start: Place, end: Place }, from: string, to: string
 * }} Mutant `from` and `to` are the code before and after, on one line.
 */
/**
 * @typedef {{ status: string, mutatorName: string, replacement?: string, location: { start: Place, end: Place } }} Raw
 */

/** @param {string} file a result of Stryker @returns {Mutant[]} */
export function mutantsIn(file) {
  /** @type {{ files: Record<string, { source: string, mutants: Raw[] }> }} */
  const { files } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(files).flatMap(([path, { source, mutants }]) => {
    const lines = source.split('\n')
    return mutants.map(({ status, mutatorName, replacement = '', location }) => ({
      path,
      key: mutantKey({ path, location, mutatorName, replacement }),
      status,
      mutatorName,
      location,
      from: oneLine(between(lines, location)),
      to: oneLine(replacement),
    }))
  })
}

/**
 * The same for the same mutant from any source.
 * @param {{ path: string, location: Raw['location'], mutatorName: string, replacement: string }} mutant
 */
export function mutantKey({ path, location: { start, end }, mutatorName, replacement }) {
  return JSON.stringify([path, start.line, start.column, end.line, end.column, mutatorName, replacement])
}

/** Whether no test saw the mutant. @param {Mutant} mutant */
export function unseen({ status }) {
  return status === 'Survived' || status === 'NoCoverage'
}

/**
 * What Stryker takes as the place of a mutant: columns count from 0 there. @param {Pick<Mutant, "path" | "location">}
 * mutant
 */
export function rangeOf({ path, location: { start, end } }) {
  return `${path}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
}

/** @param {readonly string[]} lines @param {Raw['location']} location */
function between(lines, { start, end }) {
  if (start.line === end.line) return lines[start.line - 1]?.slice(start.column - 1, end.column - 1) ?? ''
  return [
    lines[start.line - 1]?.slice(start.column - 1) ?? '',
    ...lines.slice(start.line, end.line - 1),
    lines[end.line - 1]?.slice(0, end.column - 1) ?? '',
  ].join('\n')
}

/** @param {string} code */
function oneLine(code) {
  return code.replace(/\s+/g, ' ').trim()
}
