// @ts-check
// Which strings are left alone: sentences for people. A changed wording breaks nothing, and a test of each wording would
// only repeat it. Single words stay mutated; they are kinds, keys and states, so logic. And, where a sample is measured,
// what is not in it.
import { readFileSync } from 'node:fs'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/**
 * @typedef {{ type: string, value?: unknown, quasis?: { value: { raw: string } }[], expressions?: Node[],
 *   loc?: { start: { line: number, column: number }, end: { line: number, column: number } } }} Node
 */

/**
 * Places of the sample: first line and column, last line and column, lines from 1 and columns from 0.
 * @typedef {[number, number, number, number]} SamplePlace
 */
/** @type {{ file: string | undefined, places: SamplePlace[] | null }} */
let sample = { file: undefined, places: null }

/** Read when it is asked for: the sample is drawn with this very module, and each folder has another one. */
function samplePlaces() {
  const file = process.env.MUTATION_SAMPLE
  if (file !== sample.file) {
    sample = { file, places: file === undefined ? null : JSON.parse(readFileSync(file, 'utf8')) }
  }
  return sample.places
}

/** Two words with a blank between them. */
const SENTENCE = /\p{L}[\p{P}]* +[\p{P}]*\p{L}/u

/** @param {Node} node */
function isSentence(node) {
  if (node.type === 'StringLiteral') return typeof node.value === 'string' && SENTENCE.test(node.value)
  if (node.type !== 'TemplateLiteral') return false
  // A template with logic inside is looked at; what it calls or compares may be wrong.
  if (node.expressions?.some(({ type }) => type !== 'Identifier' && type !== 'MemberExpression')) return false
  return SENTENCE.test((node.quasis ?? []).map((part) => part.value.raw).join('x'))
}

/**
 * Whether a place of the sample is within the node.
 * @param {{ start: { line: number, column: number }, end: { line: number, column: number } } | undefined} loc
 */
function holdsSample(loc) {
  const places = samplePlaces()
  if (places === null || loc === undefined) return true
  const { start, end } = loc
  return places.some(
    ([line, column, lastLine, lastColumn]) =>
      (line > start.line || (line === start.line && column >= start.column)) &&
      (lastLine < end.line || (lastLine === end.line && lastColumn <= end.column)),
  )
}

/** What is left alone, by name. */
export const ignorers = [
  declareValuePlugin(PluginKind.Ignore, 'messages', {
    shouldIgnore(path) {
      const { node } = /** @type {{ node: Node }} */ (/** @type {unknown} */ (path))
      return isSentence(node) ? 'a sentence for people' : undefined
    },
  }),
  declareValuePlugin(PluginKind.Ignore, 'sample', {
    shouldIgnore(path) {
      const { node } = /** @type {{ node: Node }} */ (/** @type {unknown} */ (path))
      return holdsSample(node.loc) ? undefined : 'not in the sample'
    },
  }),
]
