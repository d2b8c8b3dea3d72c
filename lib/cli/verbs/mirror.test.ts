import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const running = new AbortController().signal
const store = join(folder, '.openclaw')
const sessions = join(store, 'agents', 'main', 'sessions')

/** A talk whose last answer another harness gave, as OpenClaw mirrors it. */
function talk(id: string, provider: string, api: string): string {
  const t = new TranscriptBuilder({ id })
  for (let i = 0; i < 30; i++) {
    t.user(`Question ${i}. ${'The harbour log says berth and tide. '.repeat(120)}`)
    t.assistant(`Answer ${i}.`, { usage: { input: 2000 + 1500 * i, output: 20 }, fields: { provider, api } })
  }
  writeFileSync(join(sessions, `${id}.jsonl`), t.text())
  return id
}

beforeAll(() => {
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(store, 'openclaw.json'), '{}')
  talk('by-index', 'openai', 'openai-responses')
  talk('by-answer', 'claude-cli', 'cli')
  talk('own', 'anthropic', 'anthropic-messages')
  const index = {
    'agent:main:main': {
      sessionId: 'by-index',
      agentHarnessId: 'codex',
      cliSessionIds: { codex: 'thread-7' },
    },
    'agent:main:two': { sessionId: 'by-answer' },
    'agent:main:three': { sessionId: 'own', agentHarnessId: 'openclaw' },
  }
  writeFileSync(join(sessions, 'sessions.json'), JSON.stringify(index))
})

const run = (...argv: string[]) => runCli([...argv, '--store', store], { env, stop: running })

describe('B6 plimsoll on the mirror of another harness', () => {
  it('context says whose mirror it is', async () => {
    const json = JSON.parse((await run('context', 'by-index', '--json')).stdout)
    expect(json).toMatchObject({ seen: 'mirror', owner: { harness: 'codex', session: 'thread-7' } })
    const other = JSON.parse((await run('context', 'by-answer', '--call', 'next', '--json')).stdout)
    expect(other).toMatchObject({ seen: 'mirror', owner: { harness: 'claude-cli', session: null } })
    expect((await run('context', 'by-answer')).stdout).toContain("OpenClaw's mirror")
    const own = JSON.parse((await run('context', 'own', '--json')).stdout)
    expect(own.seen).toBe('all')
    expect(own).not.toHaveProperty('owner')
  })

  it.each(['by-index', 'by-answer'])('compact refuses %s with 3 and leaves it as it is', async (id) => {
    const before = readFileSync(join(sessions, `${id}.jsonl`), 'utf8')
    const done = await run('compact', id, '--now', '--digest')
    expect([done.code, done.stderr]).toEqual([3, expect.stringContaining('keeps the real history')])
    expect(readFileSync(join(sessions, `${id}.jsonl`), 'utf8')).toBe(before)
    expect((await run('compact', id, '--dry-run', '--digest')).stderr).toContain('--now would be refused')
  })

  it('its own session is compacted', async () => {
    expect((await run('compact', 'own', '--now', '--digest')).code).toBe(0)
  })
})
