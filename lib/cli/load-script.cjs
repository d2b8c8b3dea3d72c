// @ts-check
// Loads the bundles of the command line with what V8 made of them at build time, as compiling them takes as long as
// reading a session does. Of another version of Node, or absent, that is passed over and they are compiled as usual.
const { readFileSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')
const { compileLater } = require('./compile-later.cjs')

// Before the first bundle: what V8 made of it at build time counts only where its flags are the same.
compileLater()

const OWN = /^\.\/.*\.cjs$/

/** @type {Map<string, { readonly script: Script, readonly module: { exports: any } }>} */
const loaded = new Map()

/**
 * What a bundle exports.
 * @param {string} file absolute path of a CommonJS bundle
 * @returns {any}
 */
function loadScript(file) {
  const known = loaded.get(file)
  if (known !== undefined) return known.module.exports
  const text = readFileSync(file, 'utf8')
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    cachedData: readIfThere(compiledFile(file)),
  })
  const folder = dirname(file)
  const requireOther = createRequire(file)
  const require = (/** @type {string} */ id) =>
    OWN.test(id) ? loadScript(join(folder, id)) : requireOther(id)
  const module = { exports: {} }
  loaded.set(file, { script, module })
  script.runInThisContext().call(module.exports, module.exports, require, module, file, folder)
  return module.exports
}

/** Keeps beside each bundle that was loaded what has been compiled of it so far. */
function keepCompiled() {
  for (const [file, { script }] of loaded) writeFileSync(compiledFile(file), script.createCachedData())
}

/** @param {string} file */
function compiledFile(file) {
  return `${file}.compiled`
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

module.exports = { loadScript, keepCompiled }
