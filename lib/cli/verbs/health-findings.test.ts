import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../testing/run-cli'
import { sharedFolder, writeFiles } from '../../testing/store-folder'
import { loopingSession } from '../../testing/stores/looping-store'

const folder = sharedFolder()
const sent = join(folder, 'sent')
writeFiles(folder, {
  'openclaw/agents/main/sessions/loop.jsonl': loopingSession(7),
  'calm/agents/main/sessions/calm.jsonl': loopingSession(1),
  'plimsoll.yaml': `health:\n  command: 'cat >> "${sent}"'\n`,
})
const env = {
  HOME: join(folder, 'home'),
  PLIMSOLL_HOME: join(folder, 'state'),
  PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml'),
}
const run = (store: string, ...argv: string[]) =>
  runCli(['health', ...argv, '--store', join(folder, store)], { env })
const notices = () =>
  existsSync(sent)
    ? readFileSync(sent, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

describe('plimsoll health --findings', () => {
  it('says no where there is a finding as bad as that, and tells the operator of each once', async () => {
    const first = await run('openclaw', 'loop', '--findings', 'high', '--json')
    expect([first.code, first.stderr]).toEqual([1, ''])
    const { findings, findingsNotified } = JSON.parse(first.stdout)
    expect(findingsNotified).toBe(true)
    expect(findings.map(({ kind }: { kind: string }) => kind)).toContain('compaction-chain')
    expect(findings.every(({ severity }: { severity: string }) => severity === 'high')).toBe(true)
    expect(notices()).toMatchObject([
      {
        event: 'context_findings',
        session: 'loop',
        findings: expect.arrayContaining([
          {
            id: findings[0].id,
            kind: findings[0].kind,
            severity: 'high',
            sentence: findings[0].sentence,
            remedy: expect.any(String),
          },
        ]),
      },
    ])
    const second = await run('openclaw', 'loop', '--findings', 'high')
    expect(second.code).toBe(1)
    expect(second.stdout).toContain('  HIGH  ')
    expect(notices()).toHaveLength(1)
    const all = await run('openclaw', '--all', '--findings', 'high', '--json')
    expect(JSON.parse(all.stdout).sessions[0].findings).toHaveLength(findings.length)
    expect(notices()).toHaveLength(1)
  })

  it('leaves muted ones out, and looks for none where that is not asked', async () => {
    const { stdout } = await run('openclaw', 'loop', '--findings', 'high', '--json', '--no-log')
    const { findings } = JSON.parse(stdout)
    for (const { id } of findings)
      await runCli(['findings', 'mute', id, '--reason', 'Known.', '--store', join(folder, 'openclaw')], {
        env,
      })
    const muted = await run('openclaw', 'loop', '--findings', 'high', '--json')
    expect([muted.code, JSON.parse(muted.stdout).findings]).toEqual([0, []])
    const plain = await run('openclaw', 'loop', '--json')
    expect([plain.code, JSON.parse(plain.stdout).findings]).toEqual([0, null])
  })

  it('says nothing of a calm session, and refuses a severity that is none', async () => {
    expect((await run('calm', 'calm', '--findings', 'low')).code).toBe(0)
    expect((await run('calm', 'calm', '--findings', 'awful')).code).toBe(2)
  })
})
