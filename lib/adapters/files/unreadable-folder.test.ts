import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { unreadableFolder } from './unreadable-folder'

it('names the first folder that cannot be looked into; one that is not there is none', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'good'))
  writeFileSync(join(folder, 'file'), '')
  const others = [join(folder, 'good'), join(folder, 'gone'), join(folder, 'file', 'below')]
  expect(await unreadableFolder(others)).toBeNull()
  // Nobody can follow it, whatever the rights of who runs the tests.
  const round = join(folder, 'round')
  symlinkSync(round, round)
  expect(await unreadableFolder([...others, round])).toMatch(
    new RegExp(
      `^The folder ${round} cannot be read \\(ELOOP: [a-z ]+\\). Let the user who runs Plimsoll read it.$`,
    ),
  )
})
