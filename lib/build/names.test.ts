import { describe, expect, it } from 'vitest'
import { exportedNames, exportedTwice } from './names.mjs'

describe('exported names', () => {
  it('are those of functions, values, classes and types, each once', () => {
    const text = `export function plan() {}
export const [first, { second }] = [1, { second: 2 }]
export class Writer {}
export type Receipt = string
export type Colour = 'red'
export const Colour = { red: 'red' }
const hidden = 1
export { hidden as shown }
export default hidden`
    expect(exportedNames('lib/core/x.ts', text).sort()).toEqual(
      ['Colour', 'Receipt', 'Writer', 'first', 'plan', 'second', 'shown'].sort(),
    )
  })

  it('are not those of things that come from another file', () => {
    const text = `import { inner, type Setup } from './a'
export { outer, type Store } from './b'
export * from './c'
export { inner }
export type { Setup }
export const own = 1`
    expect(exportedNames('lib/public/core.ts', text)).toEqual(['own'])
  })

  it('leave out what Next looks for, in routes only', () => {
    const text = 'export const dynamic = 1\nexport function GET() {}\nexport const limit = 2'
    expect(exportedNames('app/api/x/route.ts', text)).toEqual(['limit'])
    expect(exportedNames('lib/core/x.ts', text)).toEqual(['dynamic', 'GET', 'limit'])
  })

  it('are refused where two files have one', () => {
    const found = exportedTwice([
      { file: 'lib/a.ts', name: 'planStore' },
      { file: 'lib/a.ts', name: 'planImport' },
      { file: 'lib/b.ts', name: 'planStore' },
    ])
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^planStore is exported by lib\/a\.ts and lib\/b\.ts/)
  })
})
