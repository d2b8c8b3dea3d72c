import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) AS most FROM c'

/** The process, which may work for so many milliseconds over one question, with an open database. */
function childWith(mostWork: number) {
  const file = fileURLToPath(new URL('child.cjs', import.meta.url))
  const child = spawn(process.execPath, [file, String(mostWork)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ask = (id: number, question: object) => child.send({ id, ...question })
  ask(1, { kind: 'open', name: ':memory:', copy: null })
  return { child, ask }
}

it('a question that works without an end ends the process by the work that it has done, not by the clock', async () => {
  const { child, ask } = childWith(300)
  const began = Date.now()
  ask(2, { kind: 'all', sql: ENDLESS, values: [] })
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGVTALRM' in constants.signals ? 'SIGVTALRM' : 'SIGKILL')
  expect(Date.now() - began).toBeGreaterThan(300)
})

it('questions that work little are answered, however many there are and however long nothing is asked', async () => {
  const { child, ask } = childWith(300)
  const answers: number[] = []
  child.on('message', ({ id }: { id: number }) => answers.push(id))
  const some = ENDLESS.replace('FROM c)', 'FROM c LIMIT 300000)')
  for (let id = 2; id < 12; id++) {
    ask(id, { kind: 'all', sql: some, values: [] })
    await expect.poll(() => answers).toContain(id)
  }
  child.disconnect()
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
})
