import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../../testing/builders/transcript'
import { runCli } from '../../../testing/run-cli'
import { sharedFolder, writeFiles } from '../../../testing/store-folder'

/** Prompts with a compaction before each but the first. */
function session(id: string, prompts: readonly number[], model?: string): string {
  const builder = new TranscriptBuilder({ id })
  prompts.forEach((input, i) => {
    const asked = builder.user('Go.')
    if (i > 0) builder.compaction('The berths were counted, and the crew knows. '.repeat(20), asked)
    builder.assistant('Yes.', { usage: { input, output: 10 }, ...(model === undefined ? {} : { model }) })
  })
  return builder.text()
}

const folder = sharedFolder()
const store = ['--store', join(folder, 'openclaw')]
const sessions = 'openclaw/agents/main/sessions'
writeFiles(folder, {
  [`${sessions}/loop.jsonl`]: session(
    'loop',
    Array.from({ length: 7 }, () => 50_000),
  ),
  [`${sessions}/loop.jsonl.bak.1`]: session(
    'loop',
    Array.from({ length: 7 }, () => 50_000),
  ),
  [`${sessions}/again.jsonl`]: session('again', [50_000, 49_500, 49_000]),
  [`${sessions}/calm.jsonl`]: session('calm', [50_000, 9_000]),
})
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }
const run = (...argv: string[]) => runCli(['findings', ...argv, ...store], { env })

describe('plimsoll findings', () => {
  it('lists what was found in the stores, the worst first, each session once', async () => {
    const { code, stdout } = await run('--json')
    expect(code).toBe(0)
    const { findings, sessions: examined, problems } = JSON.parse(stdout)
    expect([examined, problems]).toEqual([3, []])
    const found = findings.map(({ kind, session: id, severity }: Record<string, string>) => [
      kind,
      id,
      severity,
    ])
    expect(found).toEqual(
      expect.arrayContaining([
        ['compaction-chain', 'loop', 'high'],
        ['compaction-frees-nothing', 'loop', 'high'],
        ['compaction-frees-nothing', 'again', 'low'],
      ]),
    )
    expect(found[0]?.[2]).toBe('high')
    expect(findings[0]).toMatchObject({
      id: expect.stringMatching(/^compaction-[a-z-]+\.[a-z0-9]{9}$/),
      calls: expect.any(Array),
      cost: { tokens: { basis: expect.any(String) }, usd: {}, calls: {} },
      remedy: expect.any(Array),
      sentence: expect.stringMatching(/\.$/),
    })
  })

  it('says it in words, and one cause once', async () => {
    const { stdout } = await run()
    expect(stdout).toContain('HIGH  6 of 6 compactions left the prompt as large as it was')
    expect(stdout).toContain('(the same cause in 2 sessions)')
    expect((await run('calm')).stdout).toBe('Nothing was found in 1 session.\n')
  })

  it('keeps to a session, a severity and a period', async () => {
    const again = JSON.parse((await run('again', '--json')).stdout)
    expect(again.findings.map(({ session: id }: { session: string }) => id)).toEqual(['again'])
    expect(JSON.parse((await run('again', '--severity', 'high', '--json')).stdout).findings).toEqual([])
    expect(JSON.parse((await run('--since', '2026-11-02', '--json')).stdout).findings).toEqual([])
  })

  it('exits with 1 where a finding is as bad as was asked', async () => {
    expect((await run('again', '--fail-on', 'medium')).code).toBe(0)
    expect((await run('again', '--fail-on', 'low')).code).toBe(1)
    expect((await run('calm', '--fail-on', 'low')).code).toBe(0)
    expect((await run('--fail-on', 'worst')).code).toBe(2)
  })

  it('leaves out what is muted, with a reason and until a day, and shows it again', async () => {
    const idOf = async (session: string) => JSON.parse((await run(session, '--json')).stdout).findings[0].id
    const id = await idOf('again')
    expect((await run('mute', id)).code).toBe(2)
    expect((await run('mute', id, '--reason', 'Known.', '--until', '2020-01-01')).code).toBe(2)
    expect((await run('mute', 'none.1', '--reason', 'Known.')).code).toBe(2)
    expect((await run('mute', id, '--reason', 'Known.', '--until', '2999-01-01')).code).toBe(0)

    const left = JSON.parse((await run('again', '--json')).stdout)
    expect([left.findings, left.muted]).toEqual([[], 1])
    expect((await run('again', '--fail-on', 'low')).code).toBe(0)
    expect((await run('again')).stdout).toContain('1 muted one is left out; --muted lists it.')
    const all = JSON.parse((await run('again', '--json', '--muted')).stdout)
    expect(all.findings[0].muted).toMatchObject({ reason: 'Known.', until: '2999-01-01T00:00:00.000Z' })

    expect((await run('unmute', id)).code).toBe(0)
    expect((await run('unmute', id)).code).toBe(1)
    await run('mute', id, '--reason', 'All of them.', '--cause')
    expect(JSON.parse((await run('loop', '--json')).stdout).muted).toBe(1)
    await run('unmute', id)
    expect(JSON.parse((await run('loop', '--json')).stdout).muted).toBe(0)
  })
})
