// @ts-check
// The house rule for names: an exported name belongs to one thing. `npm run check` runs it over all sources.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

/** @typedef {{ file: string, name: string }} ExportedName */

/** Names that Next looks for in files of routes. */
const OF_ROUTES =
  /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|metadata|generateMetadata|viewport|generateStaticParams|dynamic|dynamicParams|revalidate|runtime|maxDuration)$/

/** The two byte machines have one form: their exports are the same, and each is imported as a whole. */
const OF_MACHINES = /^lib\/adapters\/jsonl\/(assembly|compiled)\/|-layout\.ts$/

/**
 * Names that a source text gives to things that it declares. What it passes on from other files has its name there.
 * @param {string} file path in the checkout
 * @param {string} text
 * @returns {string[]}
 */
export function exportedNames(file, text) {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const imported = new Set(
    module.staticImports.flatMap((item) => item.entries.map((one) => one.localName.value)),
  )
  const names = module.staticExports
    .flatMap((item) => item.entries)
    .filter((entry) => !entry.moduleRequest && !imported.has(entry.localName.name ?? ''))
    .flatMap((entry) => entry.exportName.name ?? [])
    .filter((name) => name !== 'default' && !(file.startsWith('app/') && OF_ROUTES.test(name)))
  // A value and the type of it may share a name; so may overloads.
  return [...new Set(names)]
}

/**
 * Each name that several files export, as one line.
 * @param {readonly ExportedName[]} all each file names a thing once
 * @returns {string[]}
 */
export function exportedTwice(all) {
  /** @type {Map<string, string[]>} */
  const places = new Map()
  for (const { file, name } of all) places.set(name, [...(places.get(name) ?? []), file])
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(
      ([name, files]) =>
        `${name} is exported by ${files.join(' and ')}: each exported name belongs to one thing`,
    )
}

/**
 * Reads all sources and answers what breaks the rule.
 * @param {string} root
 * @param {readonly string[]} files paths in the checkout
 */
export function checkNames(root, files) {
  return exportedTwice(
    files
      .filter((file) => !OF_MACHINES.test(file))
      .flatMap((file) =>
        exportedNames(file, readFileSync(join(root, file), 'utf8')).map((name) => ({ file, name })),
      ),
  )
}
