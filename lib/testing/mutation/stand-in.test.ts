import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** Runs what the tests of a file would be, each one twice, in a process where vitest is not. */
function playTwice(file: string): string[] {
  const script = `
    const log = []
    const { afterEach, beforeAll, beforeEach, beginFile, collected, describe, expect, it, onTestFinished, vi } =
      await import(${JSON.stringify(new URL('stand-in.mjs', import.meta.url).href)})
    beginFile('a.test.ts')
    ${file}
    for (const { name, file, run } of [...collected, ...collected])
      await run().then(() => log.push(file + ' ' + name + ': passed'), (fault) => log.push(name + ': ' + fault.message))
    console.log(JSON.stringify(log))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
  ) as string[]
}

describe('E17 the stand-in for vitest, where mutants are tried', () => {
  it('runs tests again and again, with what goes before and after them', () => {
    const once = [
      'outer before',
      'inner before',
      'test',
      'inner after',
      'outer after',
      'end',
      'a.test.ts outer > inner > it: passed',
    ]
    const log = playTwice(`
      beforeAll(() => { log.push('first of all') })
      beforeEach(() => { log.push('outer before') })
      afterEach(() => { log.push('outer after') })
      describe('outer', () => describe('inner', () => {
        beforeEach(() => { log.push('inner before') })
        afterEach(() => { log.push('inner after') })
        it('it', () => { onTestFinished(() => log.push('end')); log.push('test') })
      }))`)
    expect(log).toEqual(['first of all', ...once, ...once])
  })

  it('sees what is wrong, later too, and takes spies back', () => {
    const log = playTwice(`
      const one = { of: () => 1 }
      it('spied', () => { vi.spyOn(one, 'of').mockReturnValue(2); expect(one.of()).toBe(2) })
      it('real', () => expect(one.of()).toBe(1))
      it('wrong', async () => expect({ a: [1] }).toEqual({ a: [expect.any(String)] }))
      it('rejected', () => expect(Promise.resolve(1)).rejects.toThrow())`)
    const [spied, real, wrong, rejected] = log
    expect([spied, real]).toEqual(['a.test.ts spied: passed', 'a.test.ts real: passed'])
    expect(wrong).toMatch(/^wrong: expected { a: \[ 1 \] } to deeply equal/)
    expect(rejected).toMatch(/^rejected: promise resolved "1" instead of rejecting/)
    expect(log.slice(4)).toEqual(log.slice(0, 4))
  })

  it('has a test for each row, and none where it is to be passed over', () => {
    const log = playTwice(`
      it.each([[1, 2], [3, 4]])('%i', { timeout: 5 }, (a, b) => expect(a + 1).toBe(b))
      it.each(['x'])('%s', (x) => expect(x).toBe('x'))
      describe.each([7])('of %i', (n) => it('is', () => expect(n).toBe(7)))
      describe.skipIf(true)('none', () => it('never', () => expect(1).toBe(2)))
      it.runIf(false).each([1])('never', () => expect(1).toBe(2))
      it.skipIf(false)('always', () => {})`)
    expect(log.slice(0, 5)).toEqual(
      ['%i #0', '%i #1', '%s #0', 'of %i #0 > is', 'always'].map((name) => `a.test.ts ${name}: passed`),
    )
    expect(log).toHaveLength(10)
  })
})
