import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { startDashboard } from './dashboard'
import { processesOf } from './processes-of'
import { type Ended, startPlimsoll } from './start-plimsoll'
import { START_TIMEOUT, test } from './world'

/**
 * Moments of the start: before anything runs, while modules load, migrations run, the web server starts. One way leads to
 * the end for both signals, so that each is sent at every second moment. Milliseconds.
 */
const MOMENTS = {
  SIGTERM: [0, 100, 300, 700, 1500, 3000],
  SIGINT: [50, 200, 500, 1000, 2000],
} as const

/** A start on a busy machine takes its time; none of these ends waits for that. Milliseconds. */
const ENDS_WITHIN = 30_000

test.describe('X20 signals end the dashboard at any moment of its start', () => {
  test.skip(process.platform !== 'linux', 'what is left over is looked for in /proc')

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`${signal} ends serve, and no process is left over`, async ({ folder }) => {
      test.setTimeout(START_TIMEOUT * 3)
      for (const moment of MOMENTS[signal]) {
        const home = join(folder, `${moment}`)
        const running = startPlimsoll(['serve', '--port', '0'], folder, { PLIMSOLL_HOME: home })
        await wait(moment)
        running.kill(signal)
        await expectEnd(running.ended, home, `${signal} after ${moment} ms`)
      }
    })

  test('a second one ends all of it at once', async ({ folder }) => {
    const home = join(folder, 'state')
    const dashboard = await startDashboard(folder)
    // Half a request is there, whose rest an end in good order waits for.
    const open = connect(dashboard.port, '127.0.0.1', () => open.write('GET / HTTP/1.1\r\n'))
    open.on('error', () => {})
    await once(open, 'connect')
    for (const pause of [0, 1200]) {
      await wait(pause)
      try {
        process.kill(dashboard.pid, 'SIGTERM')
      } catch (error) {
        // It ended at the first one already, which is all the better.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
    await expectEnd(dashboard.ended, home, 'the second signal')
    open.destroy()
  })

  test('npm start passes it on, also before it serves', async ({ folder }) => {
    test.setTimeout(START_TIMEOUT * 3)
    for (const moment of [0, 600, 2500]) {
      const home = join(folder, `npm-${moment}`)
      const child = spawn('npm', ['start', '--', '--port', '0'], {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        env: { ...process.env, HOME: folder, PLIMSOLL_HOME: home },
        stdio: 'ignore',
      })
      const ended = new Promise<Ended>((resolve) =>
        child.on('exit', (code) => resolve({ code, stdout: '', stderr: '' })),
      )
      await wait(moment)
      child.kill('SIGTERM')
      await expectEnd(ended, home, `SIGTERM to npm after ${moment} ms`)
    }
  })
})

async function expectEnd(ended: Promise<Ended>, home: string, what: string): Promise<void> {
  const late = wait(ENDS_WITHIN, 'still runs', { ref: false })
  expect(await Promise.race([ended, late]), what).not.toBe('still runs')
  await expect.poll(() => processesOf(home), { message: what, timeout: ENDS_WITHIN }).toEqual([])
}
