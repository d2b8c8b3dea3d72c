import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeLease } from '../adapters/files/lease'
import { readEnvironment } from '../config/env'
import { sharedFolder } from '../testing/store-folder'
import { readingState } from './reading-state'

const folder = sharedFolder()

it('tells the own reader of a dashboard, another one and none apart', () => {
  const read = readEnvironment({ HOME: folder, PLIMSOLL_HOME: folder }, folder)
  if (!read.ok) throw new Error(read.problems.join())
  const file = join(folder, 'plimsoll.db')
  writeFileSync(file, '')
  const taken = takeLease(`${file}.lease`, 1000)
  if (!taken.held) throw new Error('nobody else knows the file')
  expect(readingState(read.environment, process.ppid)).toEqual({ reader: 'own', holder: null, disk: null })
  expect(readingState(read.environment, process.ppid + 1)).toMatchObject({
    reader: 'other',
    holder: { pid: process.pid, since: 1000 },
  })
  taken.lease.release()
  expect(readingState(read.environment, process.ppid).reader).toBe('nobody')
})
