import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DatabasePlace } from '../engine/openclaw/openclaw-commands'
import { readSetup } from '../testing/read-setup'
import { temporaryFolder } from '../testing/store-folder'
import { openCommands } from './gateway'

let home = ''
beforeEach(() => {
  home = temporaryFolder()
})

/** Asks OpenClaw for each of what it can do with a state folder; answers how each ended, and whether it was run. */
async function ask(
  state: string | null,
  { env = {}, stores = [] }: { env?: object; stores?: object[] } = {},
) {
  const ran = join(home, 'ran')
  const line = 'JSON.stringify([process.env.OPENCLAW_STATE_DIR ?? null, ...process.argv.slice(1)])'
  const program = `require('node:fs').appendFileSync(${JSON.stringify(ran)}, ${line} + '\\n')`
  const command = [process.execPath, '-e', program, '--']
  writeFileSync(join(home, 'plimsoll.json'), JSON.stringify({ gateway: { command }, stores }))
  const variables = { HOME: home, PLIMSOLL_CONFIG: join(home, 'plimsoll.json'), ...env }
  const read = readSetup(variables, home)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const commands = openCommands(read.setup, variables)
  const database = join(home, 'x.sqlite')
  const place: DatabasePlace = { root: home, database, agent: 'main', stateFolder: state, remote: false }
  const request = { place, active: null, fixMissing: false }
  const replies = await Promise.all([
    commands?.previewCleanup(request),
    commands?.cleanUp(request, 'database'),
    commands?.cleanUp(request, 'gateway'),
    commands?.doctor(request),
  ])
  const said = replies.map((reply) => (reply?.kind === 'failed' ? reply.message : ''))
  const isRefusal = (text: string) => text.includes('Nothing was run')
  return {
    ran: existsSync(ran),
    refused: said.filter(isRefusal),
    /** What it was given, each time. */
    calls: existsSync(ran)
      ? readFileSync(ran, 'utf8')
          .trim()
          .split('\n')
          .map((text): string[] => JSON.parse(text))
      : [],
  }
}

describe('N1 OpenClaw’s own command runs with the settings of a store', () => {
  test('never for a store that somebody brought, and that is said with the line that allows it', async () => {
    const state = join(home, 'copied')
    mkdirSync(state)
    const { ran, refused } = await ask(state)
    expect([ran, refused.length]).toEqual([false, 4])
    expect(refused[0]).toContain(`stores: [{ path: ${JSON.stringify(state)}, allow: { openclaw: true } }]`)
    const above = [{ path: home, allow: { openclaw: true } }]
    expect((await ask(state, { stores: above })).ran).toBe(false)
  })

  test('where this account’s OpenClaw keeps its state, and where the operator allows it', async () => {
    for (const name of ['.openclaw', '.openclaw-work']) {
      mkdirSync(join(home, name))
      expect(await ask(join(home, name))).toMatchObject({ ran: true, refused: [] })
    }
    const state = join(home, 'copied')
    mkdirSync(state)
    expect((await ask(state, { env: { OPENCLAW_STATE_DIR: state } })).refused).toEqual([])
    expect((await ask(state, { stores: [{ path: state, allow: { openclaw: true } }] })).refused).toEqual([])
  })

  test('for a database without a state folder only where the command is given that database', async () => {
    const { calls, refused } = await ask(null)
    const database = join(home, 'x.sqlite')
    // The others would change what the operator's own OpenClaw keeps.
    expect(refused).toHaveLength(2)
    for (const message of refused)
      expect(message).toContain(`would change the state folder of your OpenClaw, and not ${database}`)
    expect(calls).toHaveLength(2)
    for (const [state, ...args] of calls) {
      expect(state).toBeNull()
      expect(args.slice(args.indexOf('--store'))).toContain(database)
      expect(args).toContain('--store')
    }
  })
})
