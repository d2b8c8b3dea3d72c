// @ts-check
// Compiles the byte machines of `lib/adapters/jsonl/assembly` to WebAssembly. What comes of it is kept in the checkout, as
// modules that every bundler and test can import: a fresh clone compiles nothing.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runTool, say } from './project.mjs'

const FOLDER = 'lib/adapters/jsonl'

/** The machines, by the names of their sources. What they share is hashed for each. */
export const MACHINES = /** @type {const} */ (['text-machine', 'line-skeleton'])

/** No memory management, and nothing that is not in every Node of `engines`. 112: v128 values stay inside of the module. */
const OPTIONS = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--disableWarning', '112']

/** @param {string} file relative to the checkout */
function read(file) {
  // A checkout on Windows may have other line ends.
  return readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n')
}

/** SHA-256 over all that the machines are made of. */
function hashSources() {
  const compiler = JSON.parse(read('package.json')).devDependencies.assemblyscript
  const hash = createHash('sha256').update([compiler, ...OPTIONS].join(' '))
  const sources = readdirSync(join(root, FOLDER, 'assembly')).filter((name) => name.endsWith('.ts'))
  const files = [...sources.map((name) => `assembly/${name}`), ...MACHINES.map((name) => `${name}-layout.ts`)]
  for (const file of files.sort()) hash.update(`\0${file}\0${read(`${FOLDER}/${file}`)}`)
  return hash.digest('hex')
}

/** Path of a machine's compiled module in the checkout. @param {string} machine */
export function compiledFile(machine) {
  return `${FOLDER}/compiled/${machine}.ts`
}

/**
 * The text of a machine's compiled module.
 * @param {string} machine
 */
export async function compileMachine(machine) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-machine-'))
  try {
    const out = join(folder, 'machine.wasm')
    const source = join(root, FOLDER, 'assembly', `${machine}.ts`)
    const code = await runTool('assemblyscript/bin/asc.js', [source, ...OPTIONS, '--outFile', out], {
      quiet: true,
    })
    if (code !== 0) throw new Error(`asc failed with exit code ${code}; its messages are above`)
    return [
      `// Compiled from assembly/${machine}.ts by lib/build/byte-machines.mjs: not to be changed by hand.`,
      `// Made of sources with the hash ${hashSources()}`,
      '',
      '/** A WebAssembly module in base64. */',
      `export const MODULE =\n  '${readFileSync(out).toString('base64')}'`,
      '',
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The machines whose compiled modules were made of other sources than those that are here. */
export function staleMachines() {
  const hash = hashSources()
  return MACHINES.filter((machine) => {
    const file = compiledFile(machine)
    return !existsSync(join(root, file)) || !read(file).includes(hash)
  })
}

/** Compiles the machines whose sources have changed. */
export async function compileMachines() {
  for (const machine of staleMachines()) {
    const file = compiledFile(machine)
    say(`Compiling ${file} …`)
    mkdirSync(join(root, FOLDER, 'compiled'), { recursive: true })
    writeFileSync(join(root, file), await compileMachine(machine))
  }
}
