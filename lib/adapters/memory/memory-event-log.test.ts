import { appendFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import { memoryEventLog, readMemoryEvents } from './memory-event-log'

test('a log that is put aside is read on, and no more than two files are kept', async () => {
  const memory = temporaryFolder()
  const log = memoryEventLog(memory)
  const file = join(memory, 'events.jsonl')
  await log.note({ at: 1, session: 's', kind: 'saved' })
  // Beyond eight megabytes; of its end a megabyte is read.
  appendFileSync(file, `${`${'x'.repeat(1023)}\n`.repeat(8 * 1024)}`)
  appendFileSync(file, `${JSON.stringify({ at: 2, session: 's', kind: 'saved' })}\n`)
  await log.note({ at: 3, session: 's', kind: 'saved' })
  expect(statSync(file).size).toBeLessThan(100)
  const { events, broken } = await readMemoryEvents(memory, 10)
  expect(events.map(({ at }) => at)).toEqual([3, 2])
  expect(broken).toBeGreaterThan(1_000)
  expect((await readMemoryEvents(memory, 1)).events.map(({ at }) => at)).toEqual([3])
})
