import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../build/project.mjs'
import { COPIED } from './stryker.config.mjs'

/** Whatever a module takes from another one by its path. */
const TAKEN = /(?:from|import|import\()\s*'(\.[^']+)'/g

it('what modules take from each other is in the copy whose mutants are tried', () => {
  const files = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('generated'))
    .map((file) => join('lib', file))
  const missing = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(TAKEN)].flatMap(([, path = '']) => {
      const [top = ''] = relative(root, join(root, dirname(file), path)).split(sep)
      return COPIED.includes(top) ? [] : [`${file}: ${path}`]
    }),
  )
  expect(missing).toEqual([])
})
