// `hold FILE WAIT`: takes the lock of FILE, says so, and keeps it until it is killed.
// `count FILE TIMES`: adds one to the number in FILE that many times, each time under its lock.
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sessionLocks } from '../../adapters/locks/session-locks'

const [mode, file = '', number = '0'] = process.argv.slice(2)
const locks = sessionLocks()

if (mode === 'hold') {
  const started = performance.now()
  const result = await locks.acquire(file, { waitMs: Number(number) })
  const waited = Math.round(performance.now() - started)
  if (result.held) {
    const removed = result.lock.removed.map(({ reason }) => reason)
    process.stdout.write(`held ${JSON.stringify({ waited, removed })}\n`)
    setInterval(() => undefined, 60_000)
  } else {
    process.stdout.write(`refused ${JSON.stringify({ waited, ...result })}\n`)
  }
} else {
  for (let done = 0; done < Number(number); done++) {
    const result = await locks.acquire(file, { waitMs: 60_000 })
    if (!result.held) throw new Error(JSON.stringify(result))
    const before = Number(readFileSync(file, 'utf8'))
    await sleep(1)
    if (!(await result.lock.stillHeld())) throw new Error('lost')
    writeFileSync(file, String(before + 1))
    await result.lock.release()
  }
  process.stdout.write('counted\n')
}
