import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeLease } from '../../adapters/files/lease'
import { progressFile, ReadingNotes } from '../../adapters/files/reading-progress'
import { readEnvironment } from '../../config/env'
import { sharedFolder } from '../../testing/store-folder'
import { readingState } from './reading-state'

const folder = sharedFolder()

it('tells the own reader of a dashboard, another one and none apart', () => {
  const read = readEnvironment({ HOME: folder, PLIMSOLL_HOME: folder }, folder)
  if (!read.ok) throw new Error(read.problems.join())
  const file = join(folder, 'plimsoll.db')
  writeFileSync(file, '')
  const taken = takeLease(`${file}.lease`, 1000)
  if (!taken.held) throw new Error('no other process knows the file')
  expect(readingState(read.environment, process.ppid)).toEqual({
    reader: 'own',
    holder: null,
    disk: null,
    progress: null,
  })
  let now = 0
  const notes = new ReadingNotes(progressFile(file), () => now)
  const counts = { sessions: 9, finished: 2, bytes: 1_000, bytesRead: 200 }
  const progress = () => readingState(read.environment, process.ppid).progress
  notes.note(counts)
  expect(progress()).toBeNull()
  now = 1_500
  notes.note(counts)
  expect(progress()).toEqual({ ...counts, startedAt: 0, at: 1_500 })
  notes.note({ ...counts, finished: 9 })
  expect(progress()).toBeNull()
  expect(readingState(read.environment, process.ppid + 1)).toMatchObject({
    reader: 'other',
    holder: { pid: process.pid, since: 1000 },
  })
  taken.lease.release()
  expect(readingState(read.environment, process.ppid).reader).toBe('none')
})
