// Starts a run of a session, records one prompt, says so, and stays until it is killed.
// Arguments: folder of the store (with `agents/main/sessions`), state folder.
import { join } from 'node:path'
import { sessionLocks } from '../../adapters/locks/session-locks'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { startRun } from '../../engine/session-run'
import { testWriter } from '../test-writer'

const [root = '', home = ''] = process.argv.slice(2)
const writer = { ...testWriter(nodeWriteFiles, { home }), locks: sessionLocks() }
const started = await startRun(writer, {
  place: { root, folder: join(root, 'agents', 'main', 'sessions'), key: 'agent:main:main' },
  actor: 'child',
  wait: { waitMs: 0 },
  sessionId: '00000000-0000-4000-8000-000000000001',
  cwd: root,
})
if (!started.started) throw new Error(started.refusal.message)
const message = { role: 'user', content: 'Is it kept?' }
const entry = {
  type: 'message',
  id: '00000001',
  parentId: null,
  timestamp: '2026-11-01T08:00:00.000Z',
  message,
}
const result = await started.run.record([JSON.stringify(entry)])
process.stdout.write(`${result.kind}\n`)
setInterval(() => undefined, 60_000)
