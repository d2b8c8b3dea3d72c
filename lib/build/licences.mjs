// @ts-check
// The licences of what is part of a bundle, for whoever passes it on.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

const MODULES = join(root, 'node_modules')

/** Texts of licences, for packages that name theirs without bringing it. */
const TEXTS = /** @type {Record<string, (author: string) => string>} */ ({
  MIT: (author) => textFor(author, 'esbuild', 'LICENSE.md'),
  ISC: (author) => textFor(author, 'semver', 'LICENSE'),
  'Apache-2.0': () => readFileSync(join(MODULES, 'typescript', 'LICENSE'), 'utf8'),
})

/** A licence as another package has it. @param {string} author @param {string[]} path */
function textFor(author, ...path) {
  return readFileSync(join(MODULES, ...path), 'utf8').replace(/^Copyright.*$/m, `Copyright (c) ${author}`)
}

/**
 * One Markdown page: each package that files of a bundle are from, with version, place and licence.
 * @param {readonly string[]} files paths in the checkout
 * @throws {Error} when the licence of a package is not known
 */
export function licencesOf(files) {
  const names = new Set(
    files.flatMap((file) => /(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  )
  return [
    '# Parts of others',
    'This package contains code of these packages.',
    ...[...names].sort().map(section),
  ]
    .join('\n\n')
    .concat('\n')
}

/** @param {string} name */
function section(name) {
  const { version, license, author, repository } = JSON.parse(
    readFileSync(join(MODULES, name, 'package.json'), 'utf8'),
  )
  const place = typeof repository === 'string' ? repository : repository?.url
  return `## ${name} ${version}\n\n${license}${place ? `, ${place}` : ''}\n\n\`\`\`text\n${textOf(name, license, author).trim()}\n\`\`\``
}

/**
 * @param {string} name
 * @param {string} license
 * @param {unknown} author
 */
function textOf(name, license, author) {
  const folder = join(MODULES, name)
  const file = existsSync(folder) && readdirSync(folder).find((item) => /^licen[cs]e/i.test(item))
  if (file) return readFileSync(join(folder, file), 'utf8')
  const known = TEXTS[license]
  if (known === undefined)
    throw new Error(`${name} brings no licence, and the text of ${license} is not known`)
  const who = typeof author === 'object' && author !== null && 'name' in author ? author.name : author
  return known(String(who ?? `the authors of ${name}`))
}
