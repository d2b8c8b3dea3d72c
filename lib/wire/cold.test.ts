import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { temporaryFolder } from '../testing/store-folder'
import { readSetup } from '../wire'
import { policiesByFolder } from './cold'

test('I1 Q1 of two policies for one folder of cold storage the one of the store holds, whose agents drop', () => {
  const home = temporaryFolder()
  const read = readSetup({ HOME: home, PLIMSOLL_HOME: `${home}/state` }, home)
  if (!read.ok) throw new Error(read.problems.join())
  const own = DEFAULT_POLICY
  const quiet = { ...own, logs: { ...own.logs, recovery: false } }
  const moved = { ...own, coldStorage: { ...own.coldStorage, path: '~/cold/' } }
  const folders = policiesByFolder(read.setup, [own, quiet, moved, { ...moved }])
  expect([...folders]).toEqual([
    [`${home}/.clawdbot/cold-storage`, quiet],
    [`${home}/cold`, moved],
  ])
  expect(folders.get(`${home}/.clawdbot/cold-storage`)).toBe(quiet)
  expect([...policiesByFolder(read.setup, [own]).values()]).toEqual([own])
})
