import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Another process with a database open. Call it with SQL statements; it resolves when they are done. */
export type OtherProcess = {
  (...sql: string[]): Promise<void>
  /** Lets it end in good order. */
  close(): Promise<void>
  /** Ends it with SIGKILL. */
  kill(): Promise<void>
}

/** Starts a process that opens an SQLite database; it ends with the test. */
export async function otherProcess(file: string): Promise<OtherProcess> {
  const program = fileURLToPath(new URL('children/hold-database.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await expectAnswer('ready')
  const work = async (...sql: string[]) => {
    child.stdin.write(`${JSON.stringify(sql)}\n`)
    await expectAnswer('done')
  }
  const close = async () => {
    child.stdin.end()
    await ended
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return Object.assign(work, { close, kill })

  async function expectAnswer(expected: string): Promise<void> {
    const { value } = await answers.next()
    if (value !== expected) throw new Error(`the other process answered ${JSON.stringify(value)}`)
  }
}
