import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'
import { writeDemoSessions } from '../../testing/stores/demo-sessions'

const pauses: number[] = []
const stop = new AbortController()
const pause = async (ms: number) => {
  pauses.push(ms)
  if (pauses.length === 2) stop.abort()
}

const folder = sharedFolder()
let store = ''
beforeAll(async () => {
  const roots = await writeDemoSessions({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
  store = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
})

test('T6: --watch checks every 60 seconds unless set otherwise, the time of the check counted in', async () => {
  const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
  const { code } = await runCli(['health', '--watch', '--no-log', '--store', store], {
    env,
    stop: stop.signal,
    pause,
    cwd: folder,
  })
  expect(code).toBe(0)
  expect(pauses).toHaveLength(2)
  for (const ms of pauses) {
    expect(ms).toBeLessThanOrEqual(60_000)
    expect(ms).toBeGreaterThan(40_000)
  }
})
