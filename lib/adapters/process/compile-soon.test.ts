import { setFlagsFromString } from 'node:v8'
import { afterAll, describe, expect, it } from 'vitest'
import { COMPILE_LATER, compileLater } from '../../cli/compile-later.cjs'
import { compileSoon } from './compile-soon'

/** Of V8's `OptimizationStatus`: the function has code that was compiled for speed. */
const OPTIMIZED = 1 << 4

/** Calls of a function of some 1,000 bytes of bytecode each: more than 67,584 in all, and less than 1,000,000. */
const CALLS = 300

afterAll(compileLater)

describe.skipIf(COMPILE_LATER.length === 0)('code is compiled for speed', () => {
  it('later in verbs, in the web server and in tests, and soon again in work of threads', async () => {
    compileLater()
    const later = work()
    await run(later, 10)
    expect(isOptimized(later)).toBe(false)
    compileSoon()
    const soon = work()
    await run(soon, 200)
    expect(isOptimized(soon)).toBe(true)
  })
})

/** A function that no other call has run: each has bytecode that is counted for itself. */
function work(): (n: number) => number {
  return new Function('n', 'let sum = 0; for (let i = 0; i < 60; i++) sum += i * n; return sum') as (
    n: number,
  ) => number
}

/** @param looks so often it is looked whether it was compiled: in another thread, and put in place by a later call */
async function run(code: (n: number) => number, looks: number): Promise<void> {
  for (let i = 0; i < CALLS; i++) code(i)
  for (let i = 0; i < looks && !isOptimized(code); i++) {
    await new Promise((done) => setTimeout(done, 20))
    code(1)
  }
}

function isOptimized(code: (n: number) => number): boolean {
  setFlagsFromString('--allow-natives-syntax')
  const status: unknown = new Function('code', 'return %GetOptimizationStatus(code)')(code)
  setFlagsFromString('--no-allow-natives-syntax')
  return typeof status === 'number' && (status & OPTIMIZED) !== 0
}
