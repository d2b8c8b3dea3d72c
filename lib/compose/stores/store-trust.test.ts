import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readSetup } from '../../testing/read-setup'
import { temporaryFolder } from '../../testing/store-folder'
import { storeTrust } from './store-trust'

let home = ''
let root = ''
beforeEach(() => {
  home = temporaryFolder()
  root = join(home, '.openclaw')
  mkdirSync(join(root, 'agents', 'main', 'sessions'), { recursive: true })
})

function trustWith(path: string, folder = root) {
  const file = join(home, 'plimsoll.json')
  writeFileSync(
    file,
    JSON.stringify({ stores: [{ path, allow: { sessionModel: true, folders: ['/srv/ws'] } }] }),
  )
  const read = readSetup({ HOME: home, PLIMSOLL_CONFIG: file }, home)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  return storeTrust(read.setup, folder, [{ kind: 'openclaw', root: folder }])
}

test('leave is for the store that is named, by any of its names, and for none above, below or beside it', () => {
  symlinkSync(root, join(home, 'link'))
  for (const path of [root, `${root}/`, join(root, 'agents'), join(home, 'link'), '~/.openclaw'])
    expect(trustWith(path).allowed.sessionModel).toBe(true)
  const nested = join(root, 'nested', '.openclaw')
  mkdirSync(join(nested, 'agents'), { recursive: true })
  expect(trustWith(root, nested).allowed.sessionModel).toBe(false)
  for (const path of [home, join(root, 'agents', 'main'), join(home, '.openclaw-work'), '/'])
    expect(trustWith(path).allowed.sessionModel).toBe(false)
})

test('a folder is used when it lies in the store or in what is allowed; a relative one begins at its file', () => {
  const from = join(root, 'context-config.yaml')
  const { folder, isInside } = trustWith(root)
  expect(folder('logs', from)).toBe(join(root, 'logs'))
  expect(folder('~/.openclaw/cold/', from)).toBe(join(root, 'cold'))
  expect(folder('/srv/ws/a', from)).toBe('/srv/ws/a')
  expect(isInside('/srv/ws/a', from)).toBe(false)
  for (const written of ['../x', '~/x', '/srv/ws-of-another', '/srv/ws/../x', '/', '~', 'a/../../x', 'a\0b'])
    expect([written, folder(written, from)]).toEqual([written, null])
})
