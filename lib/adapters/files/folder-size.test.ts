import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { folderSize } from './folder-size'

describe('the size of a folder', () => {
  it('counts files with an ending, one folder down, and says when it stops', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'a.md': 'one', 'b.md': 'four', 'c.txt': 'no', 'd/e.md': 'five', 'd/f/g.md': 'no' })
    const old = new Date('2026-01-01T00:00:00Z')
    utimesSync(join(folder, 'b.md'), old, old)
    expect(await folderSize(folder, '.md')).toEqual({
      ...{ files: 3, bytes: 11, oldest: old.getTime(), isCut: false },
    })
    expect(await folderSize(folder, '.md', old.getTime() + 1)).toMatchObject({ files: 1, isCut: false })
    expect(await folderSize(folder, '.md', undefined, 3)).toMatchObject({ files: 3, isCut: false })
    expect(await folderSize(folder, '.md', undefined, 2)).toMatchObject({ files: 2, isCut: true })
    expect(await folderSize(folder, '.json')).toBeNull()
    expect(await folderSize(join(folder, 'not-there'), '.md')).toBeNull()
  })
})
