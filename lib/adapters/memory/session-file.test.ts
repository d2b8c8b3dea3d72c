import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_STORED_TASKS } from '../../agent/task-store'
import { AGENT_START } from '../../engine/knowledge/agent-memory'
import { temporaryFolder } from '../../testing/store-folder'
import { agentMemoryFolder, listRemembered } from './agent-memory-folder'
import { sessionFile } from './session-file'
import { listTasks, taskFolder } from './task-folder'

test('of many sessions those that were written last are read, and it is said how many there are', async () => {
  const memory = temporaryFolder()
  for (const [place, session] of ['a', 'b', 'c', 'd'].entries()) {
    await agentMemoryFolder(memory).save(session, AGENT_START)
    await taskFolder(memory).save(session, NO_STORED_TASKS)
    const written = session === 'b' ? 1_000 : place
    utimesSync(sessionFile(memory, session), written, written)
    utimesSync(sessionFile(join(memory, 'tasks'), session), written, written)
  }
  for (const listed of [await listRemembered(memory, 2), await listTasks(memory, 2)]) {
    expect(listed.sessions.map(({ session }) => session)).toEqual(['b', 'd'])
    expect(listed.total).toBe(4)
  }
  expect((await listTasks(memory)).sessions).toHaveLength(4)
})
