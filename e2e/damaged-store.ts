import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { startPlimsoll } from './start-plimsoll'

/** A dashboard over an OpenClaw store with one damaged session. */
export type DamagedStore = {
  readonly url: string
  readonly file: string
  /** The Integrity page of the session. */
  page(): Promise<string>
  bytes(): Buffer
}

export const test = base.extend<{ store: DamagedStore }>({
  store: async ({ browserName: _browser }, use) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-damaged-')))
    const folder = join(home, 'store', 'agents', 'main', 'sessions')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'damaged.jsonl')
    writeFileSync(file, damaged())
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const running = startPlimsoll(['serve', '--port', String(port)], home, {
      PLIMSOLL_STORES: join(home, 'store'),
    })
    await running.printed('Plimsoll is at')
    await use({ url, file, page: () => pageOf(url), bytes: () => readFileSync(file) })
    running.kill('SIGTERM')
    await running.ended
    rmSync(home, { recursive: true, force: true })
  },
})

export { expect }

/** A torn line, a call without a result, a result without a call, a blank user message, no newline at the end. */
function damaged(): string {
  const session = new TranscriptBuilder({ id: 'damaged' })
  session.user('Which berths are free?')
  session.assistant('', { calls: ['berths'] })
  session.user('Are you there?')
  session.result('nobody', 'lost')
  session.user(' ')
  session.assistant('Berth 4 is free.')
  const lines = session.lines.toSpliced(3, 0, '{"type":"message","id":"torn","parentId":"e2","timest')
  return lines.join('\n')
}

async function pageOf(url: string): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/api/sessions`)
    const { rows } = (await answer.json()) as { rows: { id: string }[] }
    if (rows[0]) return `${url}/sessions/${rows[0].id}/integrity`
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the session was not read')
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
