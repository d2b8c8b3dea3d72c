import { setFlagsFromString } from 'node:v8'
import { afterAll, describe, expect, it } from 'vitest'
import { compileLater } from '../../cli/compile-later.cjs'
import { compileSoon } from './compile-soon'

const KNOWS_FLAG = Number.parseInt(process.versions.v8, 10) < 12

/** Of V8's `OptimizationStatus`: the function has code that was compiled for speed. */
const OPTIMIZED = 1 << 4

/** Calls of a function of some 1,000 bytes of bytecode each: more than 67,584 in all, and less than 1,000,000. */
const CALLS = 300

afterAll(compileLater)

describe.skipIf(!KNOWS_FLAG)('code is compiled for speed', () => {
  it('later in verbs, in the web server and in tests, and soon again in work of threads', async () => {
    compileLater()
    const later = work()
    await run(later)
    expect(isOptimized(later)).toBe(false)
    compileSoon()
    const soon = work()
    await run(soon)
    expect(isOptimized(soon)).toBe(true)
  })
})

/** A function that no other call has run: each has bytecode that is counted for itself. */
function work(): (n: number) => number {
  return new Function('n', 'let sum = 0; for (let i = 0; i < 60; i++) sum += i * n; return sum') as (
    n: number,
  ) => number
}

async function run(code: (n: number) => number): Promise<void> {
  for (let i = 0; i < CALLS; i++) code(i)
  // It is compiled in another thread, and put in place by a later call.
  for (let i = 0; i < 50 && !isOptimized(code); i++) {
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
