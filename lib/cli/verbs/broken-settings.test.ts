import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'

/** An OpenClaw folder with one session, and what its settings say of the policy. */
function openClaw(config: string): string {
  const folder = temporaryFolder()
  const transcript = new TranscriptBuilder({ timestamp: '2026-11-01T08:00:00.000Z' })
  transcript.user('hello')
  transcript.assistant('hi')
  writeFiles(folder, {
    'agents/main/sessions/sessions.json': '{"agent:main:main":{"sessionId":"s1"}}',
    'agents/main/sessions/s1.jsonl': `${transcript.lines.join('\n')}\n`,
    'openclaw.json': '{}',
    'context-config.yaml': config,
  })
  return folder
}

const run = (argv: readonly string[], stores: readonly string[]) => {
  const home = temporaryFolder()
  const env = { HOME: home, PLIMSOLL_HOME: join(home, 'state'), PLIMSOLL_STORES: stores.join(':') }
  return runCli(argv, { env, cwd: home })
}

const BROKEN = 'RELEVANCE_CUTOFF: 7\n'

describe('settings of one store that are broken', () => {
  it.each([
    [['health', '--all', '--no-log'], 0],
    [['logs'], 0],
    [['drops'], 0],
    [['cold-storage', 'list'], 0],
    [['cold-storage', 'purge'], 0],
    // Refuses without --force, and says what it would do.
    [['reset'], 3],
  ] as const)('%j: the others go on, and the broken one is named', async (argv, code) => {
    const bad = openClaw(BROKEN)
    const good = openClaw('RELEVANCE_CUTOFF: 0.3\n')
    const { code: ended, stderr } = await run(argv, [bad, good])
    expect(stderr).toContain(join(bad, 'context-config.yaml:1'))
    expect(stderr).toContain('left out')
    expect(stderr).not.toContain(good)
    expect(ended).toBe(code)
  })

  it('health --all shows the sessions of the others', async () => {
    const good = openClaw('RELEVANCE_CUTOFF: 0.3\n')
    const { stdout } = await run(['health', '--all', '--no-log', '--json'], [openClaw(BROKEN), good])
    expect(JSON.parse(stdout).sessions).toHaveLength(1)
  })

  it.each([[['health', '--all', '--no-log']], [['logs']], [['cold-storage', 'list']]])(
    '%j fails where no store is left',
    async (argv) => {
      const bad = openClaw(BROKEN)
      const { code, stderr } = await run(argv, [bad])
      expect(code).toBe(4)
      expect(stderr).toContain(join(bad, 'context-config.yaml:1'))
    },
  )
})
