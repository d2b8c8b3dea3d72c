import { appendFileSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { startPlimsoll } from './start-plimsoll'

/** How many small sessions stand in the fleet: several windows of the list. */
export const FLEET_SIZE = 340

/** A dashboard over a store of many small sessions with known numbers. */
export type FleetStore = {
  readonly url: string
  /** Adds a call of this prompt size to the session of a ship, as an agent does. */
  append(ship: number, total: number): void
  /** Takes away the transcript of a ship. */
  remove(ship: number): void
  /** Adds a line that is none. */
  tear(ship: number): void
}

/** `Ship 7`, with three digits so that names and numbers have one order. */
export function shipName(ship: number): string {
  return `Ship ${String(ship).padStart(3, '0')}`
}

/** Browser tests of the pages over all sessions. Ship n made one call of n × 500 tokens, at a cost of n cents. */
export const test = base.extend<object, { fleet: FleetStore }>({
  fleet: [
    async ({ browserName: _browser }, use) => {
      const home = mkdtempSync(join(tmpdir(), 'plimsoll-fleet-'))
      const folder = join(home, 'fleet')
      mkdirSync(folder)
      const file = (ship: number) => join(folder, `ship-${String(ship).padStart(3, '0')}.jsonl`)
      for (let ship = 1; ship <= FLEET_SIZE; ship++) writeFileSync(file(ship), transcript(ship))
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const running = startPlimsoll(['serve', '--port', String(port)], home, { PLIMSOLL_STORES: folder })
      await running.printed('Plimsoll is at')
      await expect
        .poll(async () => (await (await fetch(`${url}/api/sessions`)).json()).total, { timeout: 20_000 })
        .toBe(FLEET_SIZE)
      let calls = 0
      await use({
        url,
        append: (ship, total) => {
          calls += 1
          appendFileSync(file(ship), call(`x${calls}`, total))
        },
        remove: (ship) => unlinkSync(file(ship)),
        tear: (ship) => appendFileSync(file(ship), '{"type":"message","id":"torn\n'),
      })
      running.kill('SIGTERM')
      await running.ended
      rmSync(home, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

function transcript(ship: number): string {
  const builder = new TranscriptBuilder({ id: `ship-${ship}` })
  const clock = (minute: number) => ({ timestamp: new Date(Date.now() - minute * 60_000).toISOString() })
  builder.entry('session_info', { name: shipName(ship), ...clock(ship + 1) })
  builder.user(
    `Cargo list of number ${ship}${ship % 50 === 0 ? ', with the astrolabe' : ''}`,
    clock(ship + 1),
  )
  builder.assistant('Noted.', {
    model: ship % 2 === 0 ? 'claude-sonnet-4-5' : 'gpt-5.1',
    usage: { input: ship * 500, output: 20, cost: ship / 100 },
    over: clock(ship),
  })
  return builder.text()
}

function call(id: string, total: number): string {
  const message = {
    role: 'assistant',
    content: [{ type: 'text', text: 'More.' }],
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    stopReason: 'stop',
    usage: { input: total, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: total + 20 },
  }
  const line = { type: 'message', id, parentId: 'e3', timestamp: new Date().toISOString(), message }
  return `${JSON.stringify(line)}\n`
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
