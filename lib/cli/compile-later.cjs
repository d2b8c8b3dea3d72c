// @ts-check
// Most of what a verb or a page needs runs a few times: compiling that for speed costs more than it brings.
const { setFlagsFromString } = require('node:v8')

/**
 * How much of a function V8 runs before it compiles it for speed: bytes of its bytecode, fifteen times the default. Verbs
 * take a fifth less processor time and end a tenth sooner; a web server takes a tenth less for its first thirty pages.
 */
const INTERRUPT_BUDGET = 1_000_000

/**
 * What Node is told for that. Nothing from V8 12 on (Node 22): a cheaper compiler comes first there, and the V8 of Node 24
 * does not know the flag.
 */
const COMPILE_LATER =
  Number.parseInt(process.versions.v8, 10) < 12 ? [`--interrupt-budget=${INTERRUPT_BUDGET}`] : []

/** For this process, threads included. Work that lasts takes it back (lib/adapters/process/compile-soon.ts). */
function compileLater() {
  for (const flag of COMPILE_LATER) setFlagsFromString(flag)
}

module.exports = { COMPILE_LATER, compileLater }
