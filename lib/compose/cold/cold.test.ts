import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { readSetup } from '../../testing/read-setup'
import { temporaryFolder } from '../../testing/store-folder'
import { coldPlaces } from './cold'

test('I1 Q1 of two policies for one folder of cold storage the one of the store holds, whose agents drop', () => {
  const home = temporaryFolder()
  const read = readSetup({ HOME: home, PLIMSOLL_HOME: `${home}/state` }, home)
  if (!read.ok) throw new Error(read.problems.join())
  const own = DEFAULT_POLICY
  const quiet = { ...own, logs: { ...own.logs, recovery: false } }
  const moved = { ...own, coldStorage: { ...own.coldStorage, path: '~/cold/' } }
  const placesOf = (policies: readonly Policy[]) =>
    coldPlaces(read.setup, policies).map(({ store, policy }) => [store.root, policy])
  expect(placesOf([quiet, moved, { ...moved }, own])).toEqual([
    [`${home}/.clawdbot/cold-storage`, quiet],
    [`${home}/cold`, moved],
  ])
  expect(placesOf([own])).toEqual([[`${home}/.clawdbot/cold-storage`, own]])
})
