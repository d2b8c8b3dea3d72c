import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { confinedFolder } from './confined-folder'

let home = ''
let root = ''
beforeEach(() => {
  home = temporaryFolder()
  root = join(home, 'store')
  mkdirSync(join(root, 'logs'), { recursive: true })
  mkdirSync(join(home, 'other'))
})
const inside = (...parts: string[]) => confinedFolder(join(root, ...parts), [root])

test('a folder in a root, also one that is not there yet, is that folder', () => {
  expect(inside('logs')).toBe(join(root, 'logs'))
  expect(inside('cold', 'a')).toBe(join(root, 'cold', 'a'))
  expect(inside()).toBe(root)
  symlinkSync(root, join(home, 'link'))
  expect(confinedFolder(join(home, 'link', 'logs'), [join(home, 'link')])).toBe(join(root, 'logs'))
})

test('what leads out is none: by its path, through a link, through a link to nothing, and by a like name', () => {
  expect(inside('..', 'other')).toBeNull()
  expect(confinedFolder('/', [root])).toBeNull()
  symlinkSync(join(home, 'other'), join(root, 'out'))
  symlinkSync(join(home, 'later'), join(root, 'nothing'))
  expect(inside('out')).toBeNull()
  expect(inside('out', 'deeper')).toBeNull()
  expect(inside('nothing')).toBeNull()
  expect(inside('nothing', 'deeper')).toBeNull()
  mkdirSync(join(home, 'store-of-another'))
  expect(confinedFolder(join(home, 'store-of-another'), [root])).toBeNull()
  expect(confinedFolder(join(root, 'logs'), [join(home, 'missing')])).toBeNull()
})
