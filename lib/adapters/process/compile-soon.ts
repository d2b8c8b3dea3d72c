import { setFlagsFromString } from 'node:v8'

/** Bytes of bytecode: the default of V8 11 (Node 20), the only one for which `lib/cli/compile-later.cjs` sets another. */
const INTERRUPT_BUDGET = 67_584
const KNOWS_FLAG = Number.parseInt(process.versions.v8, 10) < 12

/**
 * From now on V8 compiles for speed as soon as it does by itself: for work that lasts, such as an import or a replay by
 * threads. Holds for the whole process.
 */
export function compileSoon(): void {
  if (KNOWS_FLAG) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
}
