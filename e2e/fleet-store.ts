import { appendFileSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { ask } from './ask'
import { dashboard } from './world'

/** How many small sessions are in the fleet: several windows of the list. */
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

const transcriptOf = (folder: string, ship: number) =>
  join(folder, 'fleet', `ship-${String(ship).padStart(3, '0')}.jsonl`)

let calls = 0

/** Browser tests of the pages over all sessions. Ship n made one call of n × 500 tokens, at a cost of n cents. */
export const test = dashboard({
  name: 'fleet',
  write: (folder) => {
    mkdirSync(join(folder, 'fleet'))
    for (let ship = 1; ship <= FLEET_SIZE; ship++) writeFileSync(transcriptOf(folder, ship), transcript(ship))
    return { PLIMSOLL_STORES: join(folder, 'fleet') }
  },
  ready: ({ url }) =>
    ask(`${url}/api/sessions`, (answer) =>
      (answer as { total: number }).total === FLEET_SIZE ? null : undefined,
    ),
  view: ({ url, folder }): FleetStore => ({
    url,
    append: (ship, total) => {
      calls += 1
      appendFileSync(transcriptOf(folder, ship), call(`x${calls}`, total))
    },
    remove: (ship) => unlinkSync(transcriptOf(folder, ship)),
    tear: (ship) => appendFileSync(transcriptOf(folder, ship), '{"type":"message","id":"torn\n'),
  }),
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
